# knitr.R - runs in documents of knitr and Quarto, and chunks as runs.

knit_print.resource_tracker_run <- function(x, ...) {
    knitr::asis_output(paste0("\n\n", paste(chunk_lines(x), collapse = "\n\n"), "\n\n"))
}

# Sets the option `track` of chunks: TRUE, or the run's name.  all: chunks without the option as well.
track_chunks <- function(all = FALSE, interval = 0.1) {
    if (!requireNamespace("knitr", quietly = TRUE)) {
        fail("track_chunks() is for documents of knitr, which is not installed")
    }
    begun <- list()                                     # chunks within chunks: the innermost is the last
    hook <- function(before, options, ...) {
        if (isFALSE(options$track)) {
            return(NULL)
        }
        if (before) {
            name <- if (is.character(options$track)) options$track else options$label
            begun <<- c(begun, list(begin_track(name, interval)))
            return(NULL)
        }
        tracking <- begun[[length(begun)]]
        begun <<- begun[-length(begun)]
        end_track(tracking)
        paste0("\n\n", paste(chunk_lines(tracking$run, options), collapse = "\n\n"), "\n\n")
    }
    knitr::knit_hooks$set(track = hook)
    if (all) {
        knitr::opts_chunk$set(track = TRUE)
    }
    invisible()
}

# One line, and a small plot if there is a course to draw.
chunk_lines <- function(run, options = knitr::opts_current$get()) {
    if (is.null(run$record_path)) {
        return("nothing was recorded")
    }
    c(format(run), if (nrow(run$samples) > 1 && capabilities("png")) sprintf("![](%s)", chunk_figure(run, options)))
}

# The path of a picture among the other figures of the document.
chunk_figure <- function(run, options) {
    state$figures <- state$figures + 1L                 # each has a name of its own
    path <- knitr::fig_path(".png", options, number = paste0("track-", state$figures))
    dir.create(dirname(path), recursive = TRUE, showWarnings = FALSE)
    grDevices::png(path, width = 7, height = 1.5, units = "in", res = 120, pointsize = 9)
    on.exit(grDevices::dev.off())
    plot(run)
    path
}
