"""What Metaflow reads of its extensions: the decorators of steps, each with its class."""
STEP_DECORATORS_DESC = [
    ("track_resources", "resource_tracker._metaflow.TrackResources"),
]
