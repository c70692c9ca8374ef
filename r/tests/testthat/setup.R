# setup.R - records go to a folder of the tests; nothing of the caller's settings counts.
folder <- tempfile("state-")
dir.create(folder)
Sys.unsetenv(grep("^(TRACKER_|RESOURCE_TRACKER)", names(Sys.getenv()), value = TRUE))
Sys.setenv(XDG_STATE_HOME = folder, XDG_CONFIG_HOME = file.path(folder, "config"))
