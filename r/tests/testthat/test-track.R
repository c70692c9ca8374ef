test_that("CPU time and memory are those of the expression, and its value is kept", {
    burn(0.2)                                   # before: not of the run
    run <- track({
        begin <- used_seconds()
        burn(0.5)
        kept <- numeric(200 * 2^17)             # 200 MiB
        kept[] <- 1
        truth <- used_seconds() - begin
        length(kept)
    }, name = "known load", interval = 0.05, tags = list(branch = "main", n = 1))
    burn(0.2)
    expect_equal(run$value, 200 * 2^17)
    # The process clock has steps of 10 ms at worst; the recorder begins and ends a little outside of the expression.
    figures <- summary(run)
    expect_gt(figures[["cpu_time"]], truth * 0.98 - 0.02)
    expect_lt(figures[["cpu_time"]], truth * 1.02 + 0.1)
    expect_gte(run$peak_memory, 200 * 2^20 * 0.98)
    # At most the most that the kernel knows of: how much garbage R keeps depends on the machine.
    expect_lte(run$peak_memory, highest_rss() * 1.02)
    expect_equal(run$info$tags, c("branch=main", "n=1"))
    expect_equal(run$info$details[["metadata.job_name"]], "known load")
    expect_equal(run$info$status, "exited")
})

test_that("CPU time is that of the kernel's accounts of this process", {
    run <- track({
        begin <- used_seconds()
        burn(1)
        used_seconds() - begin
    }, interval = 0.2)
    expect_equal(summary(run)[["cpu_time"]], run$value, tolerance = 0.05)
})

test_that("children that R waits for are part of it", {
    run <- track(system2("sh", c("-c", shQuote("i=0; while [ $i -lt 200000 ]; do i=$((i+1)); done"))), interval = 0.05)
    expect_gt(summary(run)[["cpu_time"]], 0.05)
    expect_true("sh" %in% run$programs$name)
})

test_that("frames have times, names and units", {
    run <- track({
        region("fit", burn(0.3))
        mark("half of it")
        value("loss", 0.5)
        region("fit", 2)
    }, interval = 0.05)
    expect_equal(run$value, 2)
    samples <- run$samples
    expect_s3_class(samples, "data.frame")
    expect_s3_class(samples$timestamp, "POSIXct")
    expect_true(all(abs(as.numeric(difftime(samples$timestamp, Sys.time(), units = "hours"))) < 24))
    expect_equal(attr(samples, "units")[["process.rss_bytes"]], "bytes")
    expect_equal(nrow(run$maxima), nrow(samples))
    expect_equal(run$regions$name, "fit")
    expect_equal(run$regions$count, 2)
    expect_gte(run$regions$cpu_seconds, 0.28)
    expect_true(all(c("half of it", "loss") %in% run$events$text))
    expect_equal(run$events$value[run$events$text == "loss"], 0.5)
})

test_that("it prints, draws and reports", {
    run <- track(burn(0.3), name = "shown", interval = 0.05)
    expect_output(print(run), "Memory PSS")
    expect_match(format(run), "^shown: .* s, CPU .* cores.*, memory up to ")
    picture <- tempfile(fileext = ".pdf")
    grDevices::pdf(picture)
    before <- graphics::par("mfrow")
    expect_identical(plot(run), run)
    expect_equal(graphics::par("mfrow"), before)
    grDevices::dev.off()
    expect_gt(file.size(picture), 3000)
    expect_true(is.list(run$recommend()$advice))
    skip_if_not(run_has_page())
    page <- run$report(tempfile(fileext = ".html"))
    expect_match(readChar(page, 15), "<!DOCTYPE html>")
})

test_that("samples can be read while it goes on", {
    rows <- 0
    tracking <- resourcetracker:::begin_track(interval = 0.02)
    on.exit(resourcetracker:::end_track(tracking))
    wait_until(function() nrow(tracking$run$samples) >= 3)
    rows <- nrow(tracking$run$samples)
    wait_until(function() nrow(tracking$run$samples) > rows)
    on.exit()
    resourcetracker:::end_track(tracking)
    expect_gt(nrow(tracking$run$samples), rows)
})

test_that("an error passes, and its run is in the history", {
    expect_error(track(stop("mine"), name = "fails"), "mine")
    expect_equal(Sys.getenv("RESOURCE_TRACKER_RUN"), "")
    found <- runs("fails")
    expect_equal(nrow(found), 1)
    expect_s3_class(found$start, "POSIXct")
    info <- open_run(found$id)$info
    expect_equal(c(info$status, info$value), c("exited", 1))
    expect_equal(found$status, "failed")
    expect_equal(open_run(found$record)$record_path, found$record)
    expect_equal(open_run("last")$record_path, found$record)
})

test_that("tracks within each other have a recorder each", {
    run <- track({
        inner <- track(burn(0.2), interval = 0.05)
        region("after", burn(0.2))
    }, interval = 0.05)
    expect_false(inner$record_path == run$record_path)
    expect_equal(nrow(inner$regions), 0)
    expect_equal(run$regions$name, "after")
    expect_gt(summary(run)[["cpu_time"]], summary(inner)[["cpu_time"]] + 0.1)
    expect_true(is.list(compare_runs(inner, run)))
})

test_that("a killed recorder is an error at the end, and samples until then are kept", {
    expect_error(
        track({
            tracking <- resourcetracker:::state$recorders[[1]]
            path <- tracking$path
            wait_until(function() file.exists(path) && nrow(resourcetracker:::Run$new(path)$samples) > 0)
            tools::pskill(as.integer(sub("^/proc/([0-9]+)/.*", "\\1", Sys.getenv("RESOURCE_TRACKER_REGIONS"))), tools::SIGKILL)
        }, interval = 0.02),
        "was killed, or could not write the end of its record", class = "resource_tracker_error")
    expect_gt(nrow(resourcetracker:::Run$new(path)$samples), 0)
    expect_equal(Sys.getenv("RESOURCE_TRACKER_RUN"), "")
})

test_that("faults are conditions with the recorder's sentence", {
    expect_error(track(1, interval = 0), "above 0 seconds", class = "resource_tracker_error")
    expect_error(track(1, tags = list("=" = "x")), class = "resource_tracker_error")
    expect_error(open_run("nosuch"), "nosuch", class = "resource_tracker_error")
    expect_error(open_run("-x"), "there is no run '-x'", class = "resource_tracker_error")
    nothing <- tempfile()
    writeLines("nothing", nothing)
    expect_error(open_run(nothing), class = "resource_tracker_error")
    expect_error(tree(2^22 + 1), class = "resource_tracker_error")
    Sys.setenv(RESOURCE_TRACKER_PROGRAM = "/nonexistent")
    on.exit(Sys.unsetenv("RESOURCE_TRACKER_PROGRAM"))
    expect_error(track(1), "RESOURCE_TRACKER_PROGRAM: /nonexistent cannot be run", class = "resource_tracker_error")
})

test_that("switched off, nothing is measured and the value is there", {
    Sys.setenv(RESOURCE_TRACKER = "off")
    on.exit(Sys.unsetenv("RESOURCE_TRACKER"))
    run <- track(7)
    expect_equal(run$value, 7)
    expect_null(run$record_path)
    expect_equal(nrow(run$samples), 0)
    expect_error(summary(run), "nothing was recorded", class = "resource_tracker_error")
    expect_output(print(run), "nothing was recorded")
})

test_that("a record of one's own, and one where none can be written", {
    path <- tempfile(fileext = ".jsonl")
    run <- track(1, record = path)
    expect_equal(run$record_path, path)
    named <- tempfile()
    expect_equal(track(1, record = named)$record_path, named)
    Sys.setenv(XDG_STATE_HOME = path)            # a file, in which no folder can be made
    on.exit(Sys.setenv(XDG_STATE_HOME = folder))
    run <- track(1)
    expect_equal(dirname(run$record_path), tempdir())
    expect_equal(run$info$status, "exited")
    expect_error(track(1, record = file.path(path, "x")), "Not a directory", class = "resource_tracker_error")
})

test_that("no process, descriptor or file is left", {
    count <- function() c(length(dir("/proc/self/fd")), length(dir(tempdir())))
    track(1)
    gc()
    before <- count()
    for (i in 1:20) {
        track(1, interval = 3600)
    }
    gc()
    expect_equal(count(), before)
    ours <- function(pid) {
        command <- tryCatch(suppressWarnings(readLines(file.path("/proc", pid, "cmdline"), warn = FALSE, skipNul = TRUE)),
                            error = function(error) "")
        any(grepl(paste0("--pid", Sys.getpid()), command))
    }
    wait_until(function() !any(vapply(dir("/proc", "^[0-9]+$"), ours, NA)))
    succeed()
})

test_that("a child of fork is measured, and does not end its parent's recorder", {
    run <- track(parallel::mclapply(1:2, function(i) burn(0.2), mc.cores = 2), interval = 0.05)
    expect_equal(run$info$status, "exited")
    expect_gte(summary(run)[["cpu_time"]], 0.35)
    inner <- track(parallel::mclapply(1:2, function(i) {
        run <- track(burn(0.1), name = "child")
        run$record_path
    }, mc.cores = 2), interval = 0.05)
    expect_equal(inner$value[[1]], inner$record_path)
    expect_equal(inner$regions$name, "child")
    expect_equal(inner$regions$count, 2)
})

test_that("under a recorder the block is a region of its run", {
    record <- tempfile(fileext = ".jsonl")
    out <- script(c(
        # A sample that lies partly within the block has a share of it: none has a part of the load.
        "rows <- function() sum(startsWith(readLines(Sys.getenv('RESOURCE_TRACKER_RUN'), warn = FALSE), '[\"r\"'))",
        "border <- function() { until <- rows() + 2; while (rows() < until) Sys.sleep(0.01) }",
        "used <- function() sum(proc.time()[1:2])",
        "run <- track({ border(); end <- used() + 0.5; while (used() < end) sum(1:9); border() }, name = 'part')",
        "while (nrow(run$regions) == 0) Sys.sleep(0.01)",
        "figures <- summary(run)",
        "cat(run$record_path, run$info$status, figures[['duration']] > 0.4, figures[['cpu_time']] > 0.48, sep = '\\n')",
        "cat(run$regions$name, nrow(run$samples) > 0, format(run), sep = '\\n')"),
        around = c(program(), "--quiet", "--interval", "0.05", "--record", record, "--"))
    expect_equal(out[1:6], c(record, "running", "TRUE", "TRUE", "part", "TRUE"))
    expect_match(out[7], "^part: ")
    expect_equal(open_run(record)$regions$name, "part")
})
