test_that("the machine and a tree of processes, in one question", {
    now <- machine()
    expect_s3_class(now$timestamp, "POSIXct")
    total <- as.numeric(sub("[^0-9]*([0-9]+) kB", "\\1", grep("^MemTotal:", readLines("/proc/meminfo"), value = TRUE)))
    expect_equal(now$metrics[["memory.total_bytes"]], total * 1024)
    expect_false("process.rss_bytes" %in% names(now$metrics))
    expect_s3_class(now$tables$network, "data.frame")
    expect_output(print(now), "memory.total_bytes")
    expect_gt(tree()$metrics[["process.rss_bytes"]], 10 * 2^20)
    expect_gt(tree(seconds = 0.05)$metrics[["process.cpu_cores"]] + 1, 0)
})

test_that("JSON becomes values of R", {
    parse <- function(text) .Call(resourcetracker:::C_parse_json, text)
    expect_identical(parse('{"a": [1, 2.5], "b": ["x", "\\u00e9"], "c": null, "d": [1, "x"], "e": {}, "f": true}'),
                     list(a = c(1, 2.5), b = c("x", "\u00e9"), c = NULL, d = list(1, "x"),
                          e = stats::setNames(list(), character()), f = TRUE))
    expect_error(parse('{"a": '), "not JSON")
})

test_that("a line of a region is one line, whatever the name", {
    file <- tempfile()
    file.create(file)
    expect_true(resourcetracker:::region_line(file, paste0("begin a\nb", strrep("x", 2000))))
    lines <- readLines(file)
    expect_length(lines, 1)
    expect_match(lines, sprintf("^t=[0-9.]+ tid=%d cpu=[0-9.]+ begin a bx+$", Sys.getpid()))
    expect_false(resourcetracker:::region_line(tempfile(), "begin x"))
    expect_equal(region("without a recorder", 3), 3)
})
