# errors.R - failures are conditions of one class, with the sentence of the recorder or of the library.

fail <- function(sentence) {
    stop(structure(class = c("resource_tracker_error", "error", "condition"), list(message = sentence, call = NULL)))
}

# An error of the C part as one of ours.
native <- function(expr) {
    tryCatch(expr, error = function(error) fail(conditionMessage(error)))
}
