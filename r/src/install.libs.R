# install.libs.R - what of src/ is installed: the module, and the programs in bin/.
install <- function(files, folder) {
    dir.create(folder, recursive = TRUE, showWarnings = FALSE)
    stopifnot(file.copy(files, folder, overwrite = TRUE))
}
install(paste0("resourcetracker", SHLIB_EXT), file.path(R_PACKAGE_DIR, paste0("libs", R_ARCH)))
programs <- c("resource-tracker", "resource-tracker-analysis", "resource-tracker-top")
programs <- Filter(file.exists, programs)                # a distribution's package has none
if (length(programs)) {
    install(programs, file.path(R_PACKAGE_DIR, "bin"))
}
if (file.exists("symbols.rds")) {
    install("symbols.rds", file.path(R_PACKAGE_DIR, paste0("libs", R_ARCH)))
}
