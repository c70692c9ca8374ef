"""Named parts of a program and what its processes use, on one clock.

    from resource_monitor import (monitor_function, monitor_region,
                                  setup_root_event_logger,
                                  setup_root_resource_logger)

    @monitor_function()
    def step(): ...

    setup_root_resource_logger("resources.log", interval=0.1)
    setup_root_event_logger("events.log")
    with monitor_region("load"):
        step()
"""
from .event_logger import EventLogger
from .resource_logger import ResourceLogger
from .utils import (get_root_event_logger, monitor_function, monitor_region,
                    setup_root_event_logger, setup_root_resource_logger)

__all__ = ["EventLogger", "ResourceLogger", "setup_root_event_logger",
           "setup_root_resource_logger", "get_root_event_logger",
           "monitor_function", "monitor_region"]
