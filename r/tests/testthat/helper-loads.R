# helper-loads.R - loads with a known use, and a recorder around another R.

# Burns CPU time by this process's own clock; returns what it was.
burn <- function(seconds) {
    begin <- used_seconds()
    while (used_seconds() - begin < seconds) {
        sum(sqrt(1:20000))
    }
    used_seconds() - begin
}

used_seconds <- function() sum(proc.time()[1:2])

highest_rss <- function() {
    as.numeric(gsub("[^0-9]", "", grep("^VmHWM", readLines("/proc/self/status"), value = TRUE))) * 2^10
}

# The lines that a script with the package prints, in an R of its own; around: words before Rscript.
script <- function(text, around = character()) {
    file <- tempfile(fileext = ".R")
    on.exit(unlink(file))
    writeLines(c("library(resourcetracker)", text), file)
    words <- c(around, file.path(R.home("bin"), "Rscript"), "--vanilla", file)
    out <- suppressWarnings(system2(words[1], shQuote(words[-1]), stdout = TRUE, stderr = FALSE,
                                    env = paste0("R_LIBS=", shQuote(paste(.libPaths(), collapse = ":")))))
    as.character(out)
}

program <- function() resourcetracker:::find_program()

# Waits for what has to happen: the test as a whole has a limit.
wait_until <- function(happened) {
    while (!isTRUE(happened())) {
        Sys.sleep(0.02)
    }
}
