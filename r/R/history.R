# history.R - runs that are over.

open_run <- function(run = "last") {
    run <- one_text(run)
    if (!file.exists(run)) {
        if (startsWith(run, "-")) {
            fail(sprintf("there is no run '%s'", run))
        }
        run <- program_json(c("runs", "show", run, "--json"))[[1]]$record
    }
    found <- Run$new(normalizePath(run))
    found$info
    found
}

# A row for each run, newest first; quantities in base units.
runs <- function(name = NULL, limit = NULL) {
    found <- program_json(c("runs", "--json", if (!is.null(name)) c("--name", one_text(name))))
    if (!is.null(limit)) {
        found <- utils::head(found, limit)
    }
    table <- table_of(lapply(found, function(run) {
        c(list(id = run$id, name = run$metadata$job_name, start = run$start, status = run$status,
               command = paste(run$command, collapse = " "), tags = paste(unlist(run$tags), collapse = ","),
               host = run$host, samples = run$samples), run$quantities, list(record = run$record))
    }))
    if (nrow(table)) {
        table$start <- as_time(table$start)
    }
    table
}

# The keys of `resource-tracker compare --json`.
compare_runs <- function(base, new) {
    word <- function(run) if (inherits(run, "resource_tracker_run")) run$record_path else open_run(run)$record_path
    program_json(c("compare", word(base), word(new), "--json"))
}
