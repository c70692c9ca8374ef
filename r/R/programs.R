# programs.R - the recorder: RESOURCE_TRACKER_PROGRAM, else that of the package, else on PATH; and the programs beside it.

find_program <- function() {
    named <- Sys.getenv("RESOURCE_TRACKER_PROGRAM", NA)
    if (!is.na(named)) {
        if (file.access(named, 1) != 0) {
            fail(sprintf("RESOURCE_TRACKER_PROGRAM: %s cannot be run", named))
        }
        return(named)
    }
    bundled <- system.file("bin", "resource-tracker", package = "resourcetracker")
    found <- if (nzchar(bundled)) bundled else unname(Sys.which("resource-tracker"))
    if (!nzchar(found)) {
        fail(paste("resource-tracker is neither in the R package nor on PATH: install the R package from its sources,",
                   "or the recorder (Debian package resource-tracker)"))
    }
    found
}

# The lines that the recorder, or a program beside it, writes; its failure is ours, with its sentence.
program_output <- function(words) {
    program <- find_program()
    files <- tempfile(c("output", "errors"))
    on.exit(unlink(files))
    status <- suppressWarnings(system2(program, shQuote(words), stdin = "/dev/null", stdout = files[1],
                                       stderr = files[2]))
    if (status != 0) {
        said <- sentence_of(lines_of(files[2]))
        fail(if (nzchar(said)) said else sprintf("%s ended with status %d", program, status))
    }
    lines_of(files[1])
}

program_json <- function(words) {
    native(.Call(C_parse_json, paste(program_output(words), collapse = "\n")))
}

lines_of <- function(path) {
    if (file.exists(path)) readLines(path, warn = FALSE, encoding = "UTF-8") else character()
}

# Of the last line what follows the program's name.
sentence_of <- function(lines) {
    if (length(lines) == 0) "" else sub("^resource-tracker[^:]*: ", "", lines[length(lines)])
}
