# columns.R - the columns of ResourceTracker: of which metric, divided by what, with how many decimals; their names for people.

columns <- utils::read.table(header = TRUE, stringsAsFactors = FALSE, text = "
    table   column               metric                         divisor  decimals human
    system  processes            cpu.processes                  1        0        'processes'
    system  utime                cpu.user_seconds               1        6        'CPU time (user)'
    system  stime                cpu.system_seconds             1        6        'CPU time (system)'
    system  cpu_usage            cpu.utilization_cores          1        4        'CPU usage'
    system  memory_free_mib      memory.free_bytes              1048576  4        'free memory'
    system  memory_used_mib      memory.used_bytes              1048576  4        'used memory'
    system  memory_buffers_mib   memory.buffers_bytes           1048576  4        'memory buffers'
    system  memory_cached_mib    memory.cached_bytes            1048576  4        'memory page/file cached'
    system  memory_active_mib    memory.active_bytes            1048576  4        'active memory'
    system  memory_inactive_mib  memory.inactive_bytes          1048576  4        'inactive memory'
    system  disk_read_bytes      disk_total.read_bytes          1        0        'disk read'
    system  disk_write_bytes     disk_total.write_bytes         1        0        'disk write'
    system  disk_space_total_gb  disk_total.space_total_bytes   1e9      2        'disk space total'
    system  disk_space_used_gb   disk_total.space_used_bytes    1e9      2        'disk space used'
    system  disk_space_free_gb   disk_total.space_free_bytes    1e9      2        'disk space free'
    system  net_recv_bytes       network_total.recv_bytes       1        0        'inbound network traffic'
    system  net_sent_bytes       network_total.sent_bytes       1        0        'outbound network traffic'
    system  gpu_usage            gpu_total.utilization_gpus     1        4        'GPU usage'
    system  gpu_vram_mib         gpu_total.vram_used_bytes      1048576  4        'VRAM used'
    system  gpu_utilized         gpu_total.utilized             1        0        'GPUs in use'
    process children             process.children               1        0        'children'
    process utime                process.cpu_user_seconds       1        6        'CPU time (user)'
    process stime                process.cpu_system_seconds     1        6        'CPU time (system)'
    process cpu_usage            process.cpu_cores              1        4        'CPU usage'
    process memory_mib           process.pss_bytes              1048576  4        'memory usage'
    process disk_read_bytes      process.disk_read_bytes        1        0        'disk read'
    process disk_write_bytes     process.disk_write_bytes       1        0        'disk write'
    process gpu_usage            process.gpu_utilization_gpus   1        4        'GPU usage'
    process gpu_vram_mib         process.gpu_vram_bytes         1048576  4        'VRAM used'
    process gpu_utilized         process.gpu_utilized           1        0        'GPUs in use'
")

# The rows of one of them out of the frame of all metrics.  What is not known is 0, as in the tables that these are made after.
rows_of_table <- function(samples, table) {
    wanted <- columns[columns$table == table, ]
    found <- lapply(seq_len(nrow(wanted)), function(i) {
        values <- samples[[wanted$metric[i]]]
        if (is.null(values)) {
            values <- numeric(nrow(samples))
        }
        values[is.na(values)] <- 0
        round(values / wanted$divisor[i], wanted$decimals[i])
    })
    names(found) <- wanted$column
    structure(c(list(timestamp = samples$timestamp), found), class = "data.frame", row.names = seq_len(nrow(samples)))
}

# The same with a prefix, and in bytes or with names for people.
with_prefix <- function(rows, table, prefix, bytes, human_names) {
    at <- match(names(rows), columns$column[columns$table == table])
    known <- columns[columns$table == table, ][at, ]
    for (i in seq_along(rows)) {
        if (bytes && !is.na(at[i]) && known$divisor[i] > 1) {
            rows[[i]] <- rows[[i]] * known$divisor[i]
        }
    }
    human <- ifelse(names(rows) == "pid", "PID", ifelse(is.na(at), names(rows), known$human))
    names(rows) <- paste0(prefix, if (human_names) human else names(rows))
    rows
}
