# tracker.R - ResourceTracker: a process and the machine, sampled beside R, with the members of the R package resource.tracker.

ResourceTracker <- R6Class("ResourceTracker",
    cloneable = FALSE,
    public = list(
        children = NULL, interval = NULL, autostart = NULL, track_processes = NULL, track_system = NULL,
        discover_server = NULL, discover_cloud = NULL, start_time = NULL, stop_time = NULL,
        initialize = function(pid = Sys.getpid(), children = TRUE, interval = 1, autostart = TRUE, track_processes = TRUE,
                              track_system = TRUE, discover_server = TRUE, discover_cloud = FALSE) {
            private$tracked <- as.integer(pid)
            self$children <- children
            self$interval <- interval
            self$autostart <- autostart
            self$track_processes <- track_processes
            self$track_system <- track_system
            self$discover_server <- discover_server
            self$discover_cloud <- discover_cloud
            if (autostart) {
                self$start()
            }
        },
        start = function() {
            if (!is.null(self$stop_time)) {
                fail("Resource tracker already stopped: make a new one")
            }
            if (!is.null(private$recorder)) {
                fail("Resource tracker already running")
            }
            private$feed <- tempfile("resource-tracker-", fileext = ".jsonl")
            private$record <- tempfile("resource-tracker-", fileext = ".jsonl")
            self$start_time <- Sys.time()
            # Of the machine alone, samples end with R.
            private$recorder <- without_settings(detached(c(
                "--no-config", "--quiet", "--detach", "--pid", if (self$track_processes) private$tracked else Sys.getpid(),
                "--interval", format(self$interval, digits = 15, scientific = FALSE), if (!self$children) "--no-children",
                "--feed", private$feed, "--record", private$record)))
            invisible(self)
        },
        stop = function() {
            if (self$running) {
                end_process(private$recorder)
                self$stop_time <- Sys.time()
            }
            invisible(self)
        },
        cleanup = function() {
            if (!is.null(private$recorder) && private$recorder$owner == Sys.getpid()) {
                try(self$stop(), silent = TRUE)
                unlink(c(private$feed, private$record))
            }
        },
        wait_for_samples = function(n = 1, timeout = 5) {
            until <- proc.time()[["elapsed"]] + timeout
            while (self$n_samples < n) {
                if (!self$running) {
                    fail(sprintf("Resource tracker does not run, and has %d of %d samples", self$n_samples, n))
                }
                if (proc.time()[["elapsed"]] > until) {
                    fail(sprintf("no %d samples within %g s", n, timeout))
                }
                Sys.sleep(min(self$interval / 10, 0.1))
            }
            invisible(self)
        },
        # Rows of both of the same time; of what is not tracked, none.
        get_combined_metrics = function(bytes = FALSE, human_names = FALSE, system_prefix = NULL, process_prefix = NULL) {
            prefix <- function(given, word) {
                if (is.null(given)) paste0(word, if (human_names) " " else "_") else given
            }
            of_system <- prefix(system_prefix, if (human_names) "System" else "system")
            of_process <- prefix(process_prefix, if (human_names) "Process" else "process")
            system <- self$system_metrics
            process <- self$process_metrics
            if (self$track_processes && self$track_system) {
                system <- system[system$timestamp %in% process$timestamp, ]
            }
            tables <- c(
                if (self$track_system) with_prefix(system[-1], "system", of_system, bytes, human_names),
                if (self$track_processes) with_prefix(process[-1], "process", of_process, bytes, human_names))
            instants <- list(if (self$track_system) system$timestamp else process$timestamp)
            names(instants) <- if (human_names) "Timestamp" else "timestamp"
            structure(c(instants, tables), class = "data.frame", row.names = seq_along(instants[[1]]))
        },
        stats = function() {
            metrics <- self$get_combined_metrics()
            if (nrow(metrics) == 0) {
                fail("No metrics collected (yet)")
            }
            statistics_of(metrics, self$interval)
        },
        # CPUs, memory (MiB), GPUs and their memory (MiB) for the next run.
        recommend_resources = function() {
            if (self$running) {
                self$wait_for_samples(1, timeout = self$interval * 5)
            }
            advice_of(self$stats())
        },
        report = function() {
            path <- tempfile(fileext = ".html")
            on.exit(unlink(path))
            Run$new(private$record)$report(path)
            structure(paste(lines_of(path), collapse = "\n"), class = "resource_tracker_report")
        }
    ),
    active = list(
        running = function() {
            is.null(self$stop_time) && !is.null(private$recorder)
        },
        pid = function() private$tracked,
        n_samples = function() {
            min(if (self$track_processes) nrow(self$process_metrics), if (self$track_system) nrow(self$system_metrics), Inf)
        },
        # No rows once the process has ended: it has no memory then.
        process_metrics = function() {
            samples <- private$samples()
            samples[["process.pss_bytes"]] <- memory_of(samples)
            lives <- samples[["process.pss_bytes"]] %in% c(0, NA) == FALSE
            rows <- rows_of_table(samples[lives & self$track_processes, , drop = FALSE], "process")
            cbind(rows["timestamp"], pid = rep(private$tracked, nrow(rows)), rows[-1])
        },
        system_metrics = function() {
            samples <- private$samples()
            rows_of_table(samples[rep(self$track_system, nrow(samples)), , drop = FALSE], "system")
        },
        server_info = function() {
            if (!self$discover_server) {
                return(NULL)
            }
            c(server_facts(), allocation = allocation_of(self$process_metrics, self$system_metrics))
        },
        # Providers are not asked.
        cloud_info = function() NULL
    ),
    private = list(
        tracked = NULL,
        recorder = NULL,
        feed = NULL,                    # the file with each sample; a record has coarser rows in time
        record = NULL,
        read_size = 0,
        read_samples = data.frame(timestamp = as_time(numeric())),
        # A frame of all metrics, as far as the recorder has got.
        samples = function() {
            size <- if (is.null(private$feed)) NA else file.size(private$feed)
            if (!is.na(size) && size != private$read_size) {
                private$read_samples <- tryCatch(frame_of(native(.Call(C_read_record, private$feed, "total"))$frames$total),
                                                 resource_tracker_error = function(error) {
                    # The feed has no whole first line yet.
                    if (self$running) data.frame(timestamp = as_time(numeric())) else stop(error)
                })
                private$read_size <- size
            }
            private$read_samples
        },
        finalize = function() self$cleanup()
    )
)

# Without the variables that would ask our recorder for something else.
without_settings <- function(expr) {
    names <- grep("^(TRACKER_|RESOURCE_TRACKER)", names(Sys.getenv()), value = TRUE)
    names <- setdiff(names, "RESOURCE_TRACKER_PROGRAM")
    if (length(names)) {
        values <- as.list(Sys.getenv(names, names = TRUE))
        on.exit(do.call(Sys.setenv, values))
        Sys.unsetenv(names)
    }
    expr
}

# ---- figures of the rows: pure functions of tables ------------------------------------------------------------

# list(COLUMN = list(STATISTIC = number)), of the columns that are there.
statistics_of <- function(metrics, interval) {
    mean_and_max <- paste0("process_", c("cpu_usage", "memory_mib", "gpu_usage", "gpu_vram_mib", "gpu_utilized"))
    found <- lapply(metrics[intersect(mean_and_max, names(metrics))], function(values) {
        list(mean = round(mean(values), 2), max = round(max(values), 2))
    })
    for (name in intersect("system_disk_space_used_gb", names(metrics))) {
        found[[name]] <- list(max = round(max(metrics[[name]]), 2))
    }
    for (name in intersect(c("system_net_recv_bytes", "system_net_sent_bytes"), names(metrics))) {
        found[[name]] <- list(sum = sum(metrics[[name]]))
    }
    seconds <- as.numeric(metrics$timestamp)
    found$timestamp <- list(duration = round(max(seconds) - min(seconds) + interval, 3))
    found
}

advice_of <- function(stats) {
    figure <- function(column, statistic) {
        found <- stats[[column]][[statistic]]
        if (is.null(found)) 0 else found
    }
    vram <- figure("process_gpu_vram_mib", "max")
    list(
        cpu = max(1, round(figure("process_cpu_usage", "mean"))),
        memory = round_memory(figure("process_memory_mib", "max") * 1.2),
        gpu = if (figure("process_gpu_usage", "mean") > 0) max(1, round(figure("process_gpu_usage", "max"))) else 0,
        vram = if (vram > 0) round_memory(vram * 1.2) else 0)
}

# Up to a power of two from 128 MiB to 2 GiB, beyond to a whole GiB.
round_memory <- function(mib) {
    small <- 2^(7:11)
    if (mib <= 2048) small[small >= mib][1] else ceiling(mib / 1024) * 1024
}

server_facts <- function() {
    now <- machine()
    gpus <- now$tables$gpu
    names <- if (is.null(gpus)) character() else as.character(gpus$name)
    list(os = Sys.info()[["sysname"]], vcpus = now$metrics[["cpu.count"]],
         memory_mib = round(now$metrics[["memory.total_bytes"]] / 2^20, 2), gpu_count = length(names), gpu_names = names,
         gpu_name = if (length(names)) names(sort(table(names), decreasing = TRUE))[1] else "",
         gpu_memory_mib = if (length(names)) sum(gpus$vram_total_bytes) / 2^20 else 0)
}

# A machine is shared if it uses more than so many times, or so much more than, what the process does.
allocation_checks <- utils::read.table(header = TRUE, text = "
    process      system          times more
    cpu_usage    cpu_usage       1.25  0.25
    memory_mib   memory_used_mib 1.5   512
    gpu_usage    gpu_usage       1.25  0.2
    gpu_vram_mib gpu_vram_mib    1.25  512
")

allocation_of <- function(process, system) {
    if (nrow(process) == 0 || nrow(system) == 0) {
        return("unknown")
    }
    is_shared <- vapply(seq_len(nrow(allocation_checks)), function(i) {
        check <- allocation_checks[i, ]
        own <- mean(process[[check$process]])
        mean(system[[check$system]]) > min(own * check$times, own + check$more)
    }, NA)
    if (any(is_shared)) "shared" else "dedicated"
}

# ---- the report -----------------------------------------------------------------------------------------------

# $save(path) and $browse() beside the text.
`$.resource_tracker_report` <- function(x, name) {
    save <- function(path) {
        writeLines(unclass(x), path, useBytes = TRUE)
        invisible(x)
    }
    browse <- function() {
        path <- tempfile(fileext = ".html")
        save(path)
        utils::browseURL(path)
        invisible(x)
    }
    switch(name, save = save, browse = browse)
}

as.character.resource_tracker_report <- function(x, ...) unclass(x)

print.resource_tracker_report <- function(x, ...) {
    cat(sprintf("a report of %d characters: $save(path), $browse()\n", nchar(x)))
    invisible(x)
}
