"""The exceptions of the package; their text is the sentence of the recorder or the library."""


class ResourceTrackerError(Exception):
    """All of ours."""


class RecorderError(ResourceTrackerError):
    """The recorder, or a program beside it, could not do what it was asked for, or did not live until the end."""


class RecordError(ResourceTrackerError):
    """A record that is not there, or cannot be read."""
