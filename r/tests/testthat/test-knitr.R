test_that("a document shows what its chunks used", {
    skip_if_not_installed("knitr")
    folder <- tempfile()
    dir.create(folder)
    before <- setwd(folder)
    on.exit(setwd(before))
    writeLines(c(
        "```{r setup}", "library(resourcetracker)", "track_chunks(interval = 0.02)", "```",
        "```{r burns, track=TRUE}", "begin <- proc.time()[[1]]", "while (proc.time()[[1]] - begin < 0.3) sum(1:99)", "```",
        "```{r plain}", "1 + 1", "```",
        "```{r shown}", "track(Sys.sleep(0.1), name = 'inner', interval = 0.02)", "```"), "document.Rmd")
    knitr::knit("document.Rmd", quiet = TRUE, envir = new.env())
    text <- readLines("document.md")
    expect_equal(sum(grepl("^burns: .*CPU 0\\.[0-9]+ s", text)), 1)
    expect_equal(sum(grepl("^inner: ", text)), 1)
    expect_false(any(grepl("^(plain|setup): ", text)))
    pictures <- sub(".*\\((.*)\\)$", "\\1", grep("^!\\[\\]", text, value = TRUE))
    expect_length(pictures, 2)
    expect_true(all(file.size(pictures) > 1000))
})
