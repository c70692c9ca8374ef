# helper-page.R - the page of the report is in the package where node was there to bundle it.
run_has_page <- function() {
    tryCatch({
        track(1)$report(tempfile())
        TRUE
    }, resource_tracker_error = function(error) FALSE)
}
