# run.R - a run, by its record.  What is asked for is read then; of a run that goes on, as far as it has got.

Run <- R6Class("resource_tracker_run",
    cloneable = FALSE,
    public = list(
        value = NULL,                   # of track(): the value of its expression
        initialize = function(path, goes_on = FALSE) {
            private$path <- path
            private$goes_on <- goes_on
        },
        summary = function() numbers_of(self$digest()$quantities),
        # What `resource-tracker summary --json` says.
        digest = function() private$known("digest", function(path) program_json(c("summary", path, "--json"))),
        report = function(path) {
            program_output(c("report", private$needed(), "--output", path.expand(path)))
            invisible(normalizePath(path))
        },
        recommend = function() program_json(c("recommend", private$needed(), "--json")),
        text = function() program_output(c("summary", private$needed())),
        ended = function() private$goes_on <- FALSE
    ),
    active = list(
        record_path = function() private$path,
        info = function() private$read("total")$info,
        peak_memory = function() self$summary()[["peak_memory"]],
        samples = function() private$frame("total"),
        maxima = function() private$frame("maximum"),
        processes = function() private$frame("exit"),
        events = function() private$frame("event"),
        programs = function() table_of(self$digest()$programs),
        regions = function() table_of(self$digest()$regions)
    ),
    private = list(
        path = NULL,                    # NULL: nothing is recorded
        goes_on = FALSE,                # then its record is possibly not there yet
        answers = list(),               # by question: the state of the file, the answer
        needed = function() {
            if (is.null(private$path)) fail("nothing was recorded") else private$path
        },
        # The answer of before, as long as the file is the same.
        known = function(question, ask) {
            path <- private$needed()
            file <- file.info(path, extra_cols = FALSE)[c("size", "mtime")]
            if (is.na(file$size)) {
                fail(sprintf("the record %s cannot be read: it is not there", path))
            }
            if (!identical(private$answers[[question]]$file, file)) {
                private$answers[[question]] <- list(file = file, answer = ask(path))
            }
            private$answers[[question]]$answer
        },
        read = function(name) {
            private$known(name, function(path) native(.Call(C_read_record, path, name)))
        },
        frame = function(name) {
            if (is.null(private$path)) {
                return(data.frame())
            }
            tryCatch(frame_of(private$read(name)$frames[[name]]), resource_tracker_error = function(error) {
                if (private$goes_on) data.frame() else stop(error)
            })
        }
    )
)

summary.resource_tracker_run <- function(object, ...) {
    object$summary()
}

# One line: what is known, and is not 0.
format.resource_tracker_run <- function(x, ...) {
    figures <- x$summary()
    part <- function(quantity, form, shown = identity) {
        if (!figures[[quantity]] %in% c(0, NA)) sprintf(form, shown(figures[[quantity]]))
    }
    parts <- c(part("duration", "%.3g s"), part("cpu_time", "CPU %.3g s"), part("mean_cpu", "%.2g cores"),
               part("peak_memory", "memory up to %s", bytes_text), part("disk_read", "read %s", bytes_text),
               part("disk_written", "written %s", bytes_text))
    name <- x$info$details[["metadata.job_name"]]
    paste0(if (!is.null(name)) paste0(name, ": "), paste(parts, collapse = ", "))
}

print.resource_tracker_run <- function(x, ...) {
    cat(if (is.null(x$record_path)) "nothing was recorded" else x$text(), sep = "\n")
    invisible(x)
}

# Cores and memory in the course of time.
plot.resource_tracker_run <- function(x, ...) {
    samples <- x$samples
    if (nrow(samples) == 0) {
        fail("the run has no samples to plot")
    }
    before <- graphics::par(mfrow = c(1, 2), mar = c(2.5, 4, 1.5, 0.5), mgp = c(2.2, 0.7, 0))
    on.exit(graphics::par(before))
    course(samples, samples[["process.cpu_cores"]], "CPU (cores) by seconds", ...)
    course(samples, memory_of(samples) / 2^20, "memory (MiB) by seconds", ...)
    invisible(x)
}

# A row's amounts and means are of the time up to its instant.
course <- function(samples, values, label, ...) {
    seconds <- as.numeric(samples$timestamp)
    start <- seconds[1] - samples$interval_seconds[1]
    x <- c(0, rep(seconds - start, each = 2))[seq_len(2 * length(seconds))]
    y <- rep(values, each = 2)
    top <- max(c(values, 0), na.rm = TRUE)
    graphics::plot(x, y, type = "l", xlab = "", ylab = "", ylim = c(0, if (top > 0) top else 1), bty = "l", las = 1, ...)
    graphics::mtext(label, adj = 0, cex = graphics::par("cex"))
}

bytes_text <- function(bytes) {
    power <- if (bytes < 1024) 0 else min(floor(log(bytes, 1024)), 4)
    sprintf(if (power == 0) "%.0f %s" else "%.3g %s", bytes / 1024^power, c("B", "KiB", "MiB", "GiB", "TiB")[power + 1])
}
