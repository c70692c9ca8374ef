# resource_tracker_regions.R - name the parts of an R program: what did each of them use?
#
#     source("resource_tracker_regions.R")
#
#     data <- rt_region("load data", read.csv("data.csv"))    ends however the expression is left
#     step <- rt_function("step", function(x) x + 1)           each call of it
#     rt_region_mark("checkpoint written")
#     rt_region_value("loss", 0.12)
#
# Run the program as `resource-tracker -- Rscript program.R`.  Run alone, all of it does nothing.  One file, base R alone.
# Each call appends a line to the file that RESOURCE_TRACKER_REGIONS names (docs/reference/regions.md); CPU time is in steps of 1 ms.

.rt_write <- function(words) {
        path <- Sys.getenv("RESOURCE_TRACKER_REGIONS")
        # It is not made here: where there is none, no recorder reads it.
        if (!nzchar(path) || !file.exists(path))
                return(invisible(FALSE))
        line <- sprintf("unix=%.6f tid=%d cpu=%.6f %s\n", as.numeric(Sys.time()), Sys.getpid(),
                        sum(proc.time()[c(1L, 2L)]), gsub("[\r\n]", " ", words))
        written <- tryCatch({
                cat(line, file = path, append = TRUE)
                TRUE
        }, error = function(e) FALSE, warning = function(w) FALSE)
        invisible(written)
}

rt_region <- function(name, code) {
        name <- as.character(name)[1L]
        if (.rt_write(paste("begin", name)))
                on.exit(.rt_write(paste("end", name)), add = TRUE)
        code            # R evaluates it here, where it is used for the first time
}

rt_function <- function(name, f) {
        force(name)
        force(f)
        function(...) rt_region(name, f(...))
}

rt_region_mark <- function(text) .rt_write(paste("mark", as.character(text)[1L]))

rt_region_value <- function(name, number)
        .rt_write(sprintf("value %s %.15g", as.character(name)[1L], as.double(number)))
