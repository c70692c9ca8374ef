# recorder.R - a recorder in the background that is attached to this process: starting and ending it.

run_variable <- "RESOURCE_TRACKER_RUN"
regions_variable <- "RESOURCE_TRACKER_REGIONS"
variables <- c(run_variable, regions_variable, "RESOURCE_TRACKER_REGIONS_SHM")
enough_seconds <- 30            # the recorder itself gives a slow disk a second; beyond this it hangs

# recorders: those of this process that run, in the order in which they began; outside: the variables before the first.
state <- new.env(parent = emptyenv())
state$owner <- 0L
state$recorders <- list()
state$outside <- character()
state$figures <- 0L             # that knitr.R has drawn

# Recorders of the parent are around a child of fork as around any other program.
own_recorders <- function() {
    if (state$owner != Sys.getpid()) {
        state$owner <- Sys.getpid()
        state$recorders <- list()
    }
    state$recorders
}

# NULL: recording is switched off.  record: a file, or a folder with a / at its end; NULL: where all records are.
start_recorder <- function(words, record) {
    words <- c("--pid", Sys.getpid(), "--detach", "--quiet", words)
    if (is.null(record)) start_anywhere(words) else start_recording(words, record)
}

start_recording <- function(words, record) {
    recorder <- detached(c(words, "--record", path.expand(record)))
    if (!is.null(recorder)) {
        recorder$path <- unname(recorder$environment[run_variable])
        if (is.na(recorder$path)) {                     # a name that does not end in .jsonl is in no variable
            recorder$path <- normalizePath(record, mustWork = FALSE)
        }
    }
    recorder
}

# With a record where all are; if none can be there, in a file of R's own temporary folder.
start_anywhere <- function(words) {
    recorder <- tryCatch(detached(words), resource_tracker_error = function(error) FALSE)
    if (is.null(recorder)) {
        return(NULL)
    }
    if (is.environment(recorder)) {
        recorder$path <- unname(recorder$environment[run_variable])
        if (!is.na(recorder$path)) {
            return(recorder)
        }
        end_process(recorder)                           # settings ask for no record
    }
    start_recording(words, tempfile("resource-tracker-", fileext = ".jsonl"))
}

# A recorder by its words, as an environment, so that it can be compared with others.
detached <- function(words) {
    line <- paste(program_output(words), collapse = "")
    if (!nzchar(line)) {
        return(NULL)
    }
    said <- native(.Call(C_parse_json, line))
    recorder <- new.env(parent = emptyenv())
    recorder$process <- .Call(C_open_process, as.integer(said$pid))
    recorder$environment <- unlist(said$environment)
    recorder$owner <- Sys.getpid()
    recorder
}

# status: as an exit status, how the work that it measures has ended.  FALSE: it hangs.
end_process <- function(recorder, status = 0L) {
    .Call(C_stop_process, recorder$process, status, enough_seconds)
}

# ---- which recorder is the newest --------------------------------------------------------------------------

set_variables <- function(values) {
    for (name in variables) {
        if (is.na(values[name])) {
            Sys.unsetenv(name)
        } else {
            do.call(Sys.setenv, as.list(values[name]))
        }
    }
}

# Variables, and with them regions, are those of the newest recorder that runs, else those from outside.
follow_newest <- function() {
    running <- state$recorders
    set_variables(if (length(running)) running[[length(running)]]$environment else state$outside)
}

enter_recorder <- function(recorder) {
    if (length(own_recorders()) == 0) {
        state$outside <- Sys.getenv(variables, NA, names = TRUE)
    }
    state$recorders <- c(state$recorders, list(recorder))
    follow_newest()
}

# As end_process.
leave_recorder <- function(recorder, status) {
    state$recorders <- Filter(function(other) !identical(other, recorder), own_recorders())
    follow_newest()
    end_process(recorder, status)
}

# The record of the recorder around this process, not of one that this process started itself; "": there is none.
record_around <- function() {
    path <- if (length(own_recorders())) state$outside[run_variable] else Sys.getenv(run_variable)
    if (is.na(path)) "" else unname(path)
}
