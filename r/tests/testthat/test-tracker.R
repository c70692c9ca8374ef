test_that("a tracker has the members and columns of the contract", {
    tracker <- ResourceTracker$new(interval = 0.1)
    on.exit(tracker$cleanup())
    expect_true(tracker$running)
    expect_equal(tracker$pid, Sys.getpid())
    expect_error(tracker$start(), "Resource tracker already running", class = "resource_tracker_error")
    kept <- numeric(200 * 2^17) + 1
    burn(0.4)
    tracker$wait_for_samples(3, timeout = 600)
    tracker$stop()
    tracker$stop()
    expect_false(tracker$running)
    expect_gte(tracker$n_samples, 3)
    process <- tracker$process_metrics
    expect_equal(names(process), c("timestamp", "pid", "children", "utime", "stime", "cpu_usage", "memory_mib",
                                   "disk_read_bytes", "disk_write_bytes", "gpu_usage", "gpu_vram_mib", "gpu_utilized"))
    expect_s3_class(process$timestamp, "POSIXct")
    expect_gt(max(process$memory_mib), 200)
    expect_gt(sum(process$utime + process$stime), 0.35)
    expect_length(tracker$system_metrics, 21)
    combined <- tracker$get_combined_metrics()
    expect_length(combined, 32)
    expect_equal(names(combined)[c(1, 2, 22, 32)], c("timestamp", "system_processes", "process_pid", "process_gpu_utilized"))
    expect_true(all(c("Timestamp", "System CPU usage", "Process memory usage", "Process PID") %in%
                    names(tracker$get_combined_metrics(human_names = TRUE))))
    bytes <- tracker$get_combined_metrics(bytes = TRUE, process_prefix = "p.")
    expect_equal(bytes[["p.memory_mib"]], combined$process_memory_mib * 2^20)
    stats <- tracker$stats()
    expect_equal(stats$process_memory_mib$max, round(max(process$memory_mib), 2))
    advice <- tracker$recommend_resources()
    expect_equal(advice$cpu, 1)
    expect_equal(advice$memory, resourcetracker:::round_memory(stats$process_memory_mib$max * 1.2))
    expect_true(tracker$server_info$allocation %in% c("shared", "dedicated"))
    expect_null(tracker$cloud_info)
    skip_if_not(run_has_page())
    report <- tracker$report()
    file <- tempfile(fileext = ".html")
    report$save(file)
    expect_match(as.character(report), "</html>")
    expect_gt(file.size(file), 1e5)
})

test_that("parts of a tracker can be left out", {
    machine_alone <- ResourceTracker$new(interval = 0.05, track_processes = FALSE, autostart = FALSE)
    expect_equal(machine_alone$n_samples, 0)
    expect_false(machine_alone$running)
    expect_error(machine_alone$stats(), "No metrics collected")
    machine_alone$start()
    machine_alone$wait_for_samples(2, timeout = 600)
    machine_alone$stop()
    expect_equal(nrow(machine_alone$process_metrics), 0)
    expect_length(machine_alone$get_combined_metrics(), 21)
    expect_error(machine_alone$start(), "already stopped")
    expect_equal(machine_alone$server_info$allocation, "unknown")
    machine_alone$cleanup()
})

test_that("a process that ends has no more rows, and a removed tracker no recorder", {
    pid <- as.integer(system("sleep 1000 >/dev/null 2>&1 & echo $!", intern = TRUE))
    tracker <- ResourceTracker$new(pid, interval = 0.05)
    tracker$wait_for_samples(2, timeout = 600)
    tools::pskill(pid)
    recorder <- environment(tracker$start)$private$recorder$process
    wait_until(function() !.Call(resourcetracker:::C_process_runs, recorder))
    tracker$stop()
    expect_true(all(tracker$process_metrics$memory_mib > 0))
    feed <- environment(tracker$start)$private$feed
    expect_true(file.exists(feed))
    rm(tracker)
    gc()
    expect_false(file.exists(feed))
})

test_that("memory is PSS where it is known, else RSS", {
    memory_of <- resourcetracker:::memory_of
    expect_equal(memory_of(data.frame(process.rss_bytes = c(3, 4), process.pss_bytes = c(2, NA))), c(2, 4))
    expect_equal(memory_of(data.frame(process.rss_bytes = c(3, 4))), c(3, 4))
    expect_equal(memory_of(data.frame(other = 1)), NA_real_)
})

test_that("memory is advised in the sizes of the contract", {
    expect_equal(vapply(c(12, 987, 1024, 1025, 2049), resourcetracker:::round_memory, 0), c(128, 1024, 1024, 2048, 3072))
})
