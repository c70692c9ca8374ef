# track.R - track(): what an expression uses, by a recorder of its own or by the one around R.

track <- function(expr, name = NULL, interval = 1, tags = NULL, record = NULL) {
    tracking <- begin_track(name, interval, tags, record)
    on.exit(try(end_track(tracking), silent = TRUE))    # the expression's own failure is the one that matters
    tracking$run$value <- expr                          # evaluated here
    on.exit()
    end_track(tracking)
    tracking$run
}

# list(run, recorder): the recorder is NULL where the one around R records it, or nothing is.
begin_track <- function(name = NULL, interval = 1, tags = NULL, record = NULL) {
    if (!is.numeric(interval) || length(interval) != 1 || !isTRUE(interval > 0)) {
        fail(sprintf("the interval is %s: it has to be above 0 seconds", format(interval)))
    }
    around <- record_around()
    if (nzchar(around)) {
        return(begin_block(around, if (is.null(name)) "track" else one_text(name)))
    }
    words <- c("--interval", format(interval, digits = 15, scientific = FALSE), if (!is.null(name)) c("--job-name", one_text(name)),
               unlist(lapply(names(tags), function(key) c("--tag", paste0(key, "=", one_text(tags[[key]]))))))
    recorder <- start_recorder(words, record)
    if (is.null(recorder)) {
        return(list(run = Run$new(NULL), owner = Sys.getpid()))
    }
    enter_recorder(recorder)
    list(run = Run$new(recorder$path, goes_on = TRUE), recorder = recorder, owner = Sys.getpid())
}

begin_block <- function(around, name) {
    regions <- Sys.getenv(regions_variable)
    block <- Block$new(around, name)                    # first, so that the region's begin is within it
    region_line(regions, paste("begin", name))
    list(run = block, regions = regions, owner = Sys.getpid())
}

# Fails if the run is not whole.
end_track <- function(tracking) {
    if (tracking$owner != Sys.getpid()) {               # a child of fork: the parent goes on
        return(invisible())
    }
    run <- tracking$run
    ended <- is.null(tracking$recorder) || leave_recorder(tracking$recorder)
    run$ended()
    if (!is.null(tracking$regions)) {
        region_line(tracking$regions, paste("end", run$name))
    }
    if (!is.null(tracking$recorder)) {
        check_whole(run, ended)
    }
    invisible()
}

check_whole <- function(run, ended) {
    status <- tryCatch(run$info$status, resource_tracker_error = function(error) {
        fail(paste("the block was not recorded:", conditionMessage(error)))
    })
    if (status == "running") {
        fail(sprintf("the recorder %s; %s has the samples until then",
                     if (ended) "was killed, or could not write the end of its record" else "does not end", run$record_path))
    }
}
