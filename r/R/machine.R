# machine.R - one question: what the machine has and does, or what a tree of processes uses.

machine <- function(seconds = 0) {
    snapshot(integer(), seconds)
}

tree <- function(pid = Sys.getpid(), seconds = 0) {
    snapshot(as.integer(pid), seconds)
}

# metrics: those that are known, by name; tables: of disks, interfaces and so on, a data frame each.
snapshot <- function(pids, seconds) {
    found <- native(.Call(C_take_snapshot, pids, as.numeric(seconds)))
    structure(class = "resource_tracker_snapshot",
              list(timestamp = as_time(found$timestamp), metrics = found$total, tables = lapply(found$tables, frame_of)))
}

print.resource_tracker_snapshot <- function(x, ...) {
    cat(format(x$timestamp), "\n", sep = "")
    cat(sprintf("  %-40s%s\n", names(x$metrics), vapply(x$metrics, format, "", digits = 10, big.mark = ",", scientific = FALSE)),
        sep = "")
    rows <- vapply(x$tables, nrow, 0L)
    cat("tables: ", paste0(names(rows), " (", rows, ")", collapse = ", "), "\n", sep = "")
    invisible(x)
}
