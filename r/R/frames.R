# frames.R - columns of the C part as data frames.

# list(texts, numbers) and perhaps units and kinds.  Instants become POSIXct, and lose "_seconds" of their names; the
# attribute "units" has the unit of each column of numbers.
frame_of <- function(columns) {
    numbers <- columns$numbers
    is_instant <- if (is.null(columns$kinds)) logical(length(numbers)) else columns$kinds == "instant"
    numbers[is_instant] <- lapply(numbers[is_instant], as_time)
    frame <- c(columns$texts, numbers)
    renamed <- names(frame) %in% names(numbers)[is_instant]
    names(frame)[renamed] <- sub("_seconds$", "", names(frame)[renamed])
    rows <- if (length(frame)) length(frame[[1]]) else 0L
    frame <- structure(frame, class = "data.frame", row.names = seq_len(rows))
    if (!is.null(columns$units)) {
        known <- !is_instant & nzchar(columns$units)
        attr(frame, "units") <- stats::setNames(columns$units[known], names(numbers)[known])
    }
    frame
}

as_time <- function(seconds) {
    as.POSIXct(seconds, origin = "1970-01-01")
}

# Those rows, with the units.
rows_of <- function(frame, rows) {
    structure(frame[rows, , drop = FALSE], units = attr(frame, "units"))
}

# Of the tracked processes, for each row: PSS where it is known, else RSS.
memory_of <- function(samples) {
    column <- function(name) if (is.null(samples[[name]])) rep(NA_real_, nrow(samples)) else samples[[name]]
    ifelse(is.na(column("process.pss_bytes")), column("process.rss_bytes"), column("process.pss_bytes"))
}

# A list of objects with a name as a data frame: a column for each key, NA where one has none.  Keys whose values are not
# single ones stand as KEY.INNER, or are left out.
table_of <- function(objects) {
    rows <- lapply(objects, function(object) unlist_keys(object))
    keys <- unique(unlist(lapply(rows, names)))
    columns <- lapply(stats::setNames(keys, keys), function(key) {
        unlist(lapply(rows, function(row) if (is.null(row[[key]])) NA else row[[key]]))
    })
    structure(columns, class = "data.frame", row.names = seq_along(rows))
}

unlist_keys <- function(object, prefix = "") {
    found <- list()
    for (key in names(object)) {
        item <- object[[key]]
        if (is.list(item) && !is.null(names(item))) {
            found <- c(found, unlist_keys(item, paste0(prefix, key, ".")))
        } else if (length(item) == 1 && !is.list(item)) {
            found[[paste0(prefix, key)]] <- item
        }
    }
    found
}

# Numbers by name; NULL is not known.
numbers_of <- function(object) {
    vapply(object, function(item) if (is.null(item)) NA_real_ else as.numeric(item), 0)
}
