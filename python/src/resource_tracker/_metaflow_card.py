"""The card of @track_resources: the report of what a step used."""
from html import escape
from typing import Any, Dict, Optional

from metaflow.plugins.cards.card_modules.card import MetaflowCard

from ._metaflow import CARD
from .tracker import ResourceTracker

NOTHING = {"error_type": "RuntimeError", "traceback": "",
           "error_message": "the step was not tracked"}


class TrackedResources(MetaflowCard):  # type: ignore[misc]
    """Of the artifact that the decorator left."""

    type = CARD

    def __init__(self, options: Optional[Dict[str, Any]] = None,
                 **_: Any) -> None:
        self._artifact = (options or {}).get("artifact_name",
                                             "resource_tracker_data")

    def render(self, task: Any) -> str:
        """The page."""
        found = (task[self._artifact].data if self._artifact in task
                 else {"error": NOTHING})
        if "error" in found:
            return error_page(found["error"])
        tracker = ResourceTracker.from_snapshot(found["tracker"])
        try:
            return tracker.report(
                integration="Metaflow", status_failed=found["step_failed"],
                historical_stats=found["historical_stats"])
        finally:
            tracker.cleanup()


def error_page(error: Dict[str, str]) -> str:
    """Why there is nothing to show."""
    sentence = f"{error['error_type']}: {error['error_message']}"
    return ("<html><head><meta charset='utf-8'></head><body>"
            "<h1>Resources could not be tracked</h1>"
            f"<p>{escape(sentence)}</p><pre>{escape(error['traceback'])}</pre>"
            "</body></html>")
