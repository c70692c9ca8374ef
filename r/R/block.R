# block.R - a part of a run that another recorder records: its figures are those of the samples within it.

# By the names of docs/reference/runs.md: how it is made, of which column.
block_quantities <- utils::read.table(header = TRUE, text = "
    quantity       how  column
    cpu_time       sum  process.cpu_seconds
    peak_cpu       max  process.cpu_cores
    mean_memory    mean process.pss_bytes
    peak_memory    max  process.pss_bytes
    peak_rss       max  process.rss_bytes
    peak_processes max  process.count
    disk_read      sum  process.disk_read_bytes
    disk_written   sum  process.disk_write_bytes
")

# The run is that of the recorder around R, with all processes of its job; report() and recommend() are of all of it.
# Questions after the end of the block wait for the sample in which it ended, for two intervals at most.
Block <- R6Class("resource_tracker_block",
    inherit = Run,
    cloneable = FALSE,
    public = list(
        name = NULL,
        initialize = function(path, name) {
            super$initialize(path, TRUE)
            self$name <- name
            private$begin <- as.numeric(Sys.time())
        },
        ended = function() {
            super$ended()
            private$end <- as.numeric(Sys.time())
        },
        summary = function() {
            window <- private$window()
            samples <- within_window(super$frame("total"), window)
            maxima <- within_window(super$frame("maximum"), window)
            shares <- shares_of(samples, window)
            figures <- vapply(seq_len(nrow(block_quantities)), function(i) {
                column <- block_quantities$column[i]
                is_maximum <- block_quantities$how[i] == "max" && column %in% names(maxima)
                figure(block_quantities$how[i], (if (is_maximum) maxima else samples)[[column]], shares, samples)
            }, 0)
            names(figures) <- block_quantities$quantity
            seconds <- window[2] - window[1]
            c(duration = seconds, figures, mean_cpu = if (seconds > 0) figures[["cpu_time"]] / seconds else NA_real_)
        },
        text = function() {
            figures <- self$summary()
            figures <- figures[!is.na(figures)]
            c(sprintf("%s, within %s", self$name, basename(private$needed())),
              sprintf("  %-16s%s", names(figures), format(figures, big.mark = ",", digits = 4, scientific = FALSE, trim = TRUE)))
        }
    ),
    active = list(
        programs = function() {
            window <- private$window()
            rows <- within_window(super$frame("program"), window)
            shares <- shares_of(rows, window)
            table_of(lapply(unique(rows$key), function(key) {
                mine <- ifelse(rows$key == key, shares, 0)
                list(name = key, cpu_seconds = figure("sum", rows$cpu_seconds, mine, rows),
                     rss_bytes = figure("max", rows$rss_bytes, mine, rows))
            }))
        },
        # Of the entries that have lines of their own: those of 0.1 ms or more.
        regions = function() {
            entries <- self$events
            entries <- entries[entries$kind %in% 0, ]
            table_of(lapply(unique(entries$path), function(path) {
                mine <- entries[entries$path == path, ]
                list(name = path, count = nrow(mine), seconds = sum(mine$seconds), cpu_seconds = sum(mine$cpu_seconds))
            }))
        }
    ),
    private = list(
        begin = 0,
        end = NULL,                     # NULL: it goes on
        window = function() {
            if (is.null(private$end)) {
                return(c(private$begin, as.numeric(Sys.time())))
            }
            repeat {
                info <- private$read("total")$info
                instants <- as.numeric(super$frame("total")$timestamp)
                until <- private$end + 2 * info$interval_seconds + 0.5
                if (any(instants >= private$end) || info$status != "running" || as.numeric(Sys.time()) > until) {
                    return(c(private$begin, private$end))
                }
                Sys.sleep(0.01)
            }
        },
        frame = function(name) {
            window <- private$window()
            frame <- super$frame(name)
            if (name != "event" || nrow(frame) == 0) {
                return(within_window(frame, window, if (name == "exit") "end" else "timestamp"))
            }
            # They have the times of their begins, by the recorder's clock, which can be 1 ms from ours.
            begins <- as.numeric(frame$timestamp)
            rows_of(frame, begins >= window[1] - 0.001 & begins < window[2])
        }
    )
)

format.resource_tracker_block <- function(x, ...) {
    paste0(x$name, ": ", sub("^[^:]*: ", "", NextMethod()))
}

# Of rows in order of time those from the first instant after the begin to the first at or after the end.
within_window <- function(frame, window, instant = "timestamp") {
    if (nrow(frame) == 0) {
        return(frame)
    }
    instants <- as.numeric(frame[[instant]])
    after_end <- instants[instants >= window[2]]
    last <- if (length(after_end)) after_end[1] else Inf
    rows_of(frame, which(instants > window[1] & instants <= last))
}

# For each row the part of its time that is within the block.
shares_of <- function(rows, window) {
    until <- as.numeric(rows$timestamp)
    seconds <- rows$interval_seconds
    overlap <- pmin(until, window[2]) - pmax(until - seconds, window[1])
    ifelse(seconds > 0, pmin(1, pmax(0, overlap / seconds)), 0)
}

# Of rows with a share, as far as they know the value.
figure <- function(how, values, shares, rows) {
    known <- if (is.null(values)) FALSE else shares > 0 & !is.na(values)
    if (!any(known)) {
        return(NA_real_)
    }
    weights <- (shares * rows$interval_seconds)[known]
    switch(how, max = max(values[known]), sum = sum((values * shares)[known]),
           mean = sum(values[known] * weights) / sum(weights))
}
