# regions.R - named parts of a program, for the recorder that records it; without one these do nothing.

region <- function(name, expr) {
    name <- one_text(name)
    path <- Sys.getenv(regions_variable)
    if (region_line(path, paste("begin", name))) {
        on.exit(region_line(path, paste("end", name)))
    }
    expr                        # evaluated here, where it is used for the first time
}

mark <- function(text) {
    invisible(region_line(Sys.getenv(regions_variable), paste("mark", one_text(text))))
}

value <- function(name, number) {
    stopifnot(is.numeric(number), length(number) == 1)
    invisible(region_line(Sys.getenv(regions_variable), sprintf("value %s %.17g", one_text(name), number)))
}

one_text <- function(text) {
    text <- as.character(text)
    stopifnot(length(text) == 1, !is.na(text))
    text
}

region_line <- function(path, words) {
    nzchar(path) && .Call(C_write_region, path, words)
}
