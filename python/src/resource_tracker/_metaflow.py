"""Metaflow's @track_resources: what a step uses, as an artifact of its task and on a card.

Metaflow finds it by the extension in `metaflow_extensions`, as
`from metaflow import track_resources`.
"""
import os
import traceback
from itertools import islice
from logging import getLogger
from typing import Any, Dict, Iterator, List, Optional, Tuple

from metaflow.decorators import StepDecorator

from .tracker import ResourceTracker

EARLIER_RUNS = 5
CARD = "tracked_resources"
PACKAGE = os.path.dirname(os.path.abspath(__file__))

Stats = Dict[str, Dict[str, Any]]
logger = getLogger(__name__)


class TrackResources(StepDecorator):  # type: ignore[misc]
    """What the step uses: CPU, memory, disk, network, GPU.

    interval: seconds between samples.  artifact_name: has the snapshot of a
    ResourceTracker, also of a step that fails.  create_card: a card with its
    report.  A failure of ours never fails the step: the artifact has it.
    """

    name = "track_resources"
    defaults = {"interval": 1.0, "artifact_name": "resource_tracker_data",
                "create_card": True}

    _tracker: Optional[ResourceTracker] = None
    _error: Optional[Dict[str, str]] = None

    def step_init(self, flow: Any, graph: Any, step_name: str,
                  decorators: List[Any], environment: Any,
                  flow_datastore: Any, logger: Any) -> None:
        """When all decorators of the step are known; ours is one more."""
        # What comes from the command line is a text.
        if str(self.attributes["create_card"]).lower() == "true":
            _add_card(decorators, step_name,
                      self.attributes["artifact_name"])

    def add_to_package(self) -> Iterator[Tuple[str, str]]:
        """The package, for steps that run elsewhere: (file, its name)."""
        for folder, _, names in os.walk(PACKAGE):
            for name in names:
                path = os.path.join(folder, name)
                if not name.endswith(".pyc"):
                    yield path, os.path.relpath(path, os.path.dirname(PACKAGE))

    def task_pre_step(self, *_: Any) -> None:
        """Before the step."""
        try:
            self._tracker = ResourceTracker(
                interval=float(self.attributes["interval"]))
            self._tracker.start()
        except Exception as error:
            self._error = _described(error)

    def task_post_step(self, step_name: str, flow: Any, *_: Any) -> None:
        """After a step that succeeded."""
        self._keep(flow, step_name, failed=False)

    def task_exception(self, exception: BaseException, step_name: str,
                       flow: Any, *_: Any) -> None:
        """After one that raised; it goes on as Metaflow has it."""
        self._keep(flow, step_name, failed=True)

    def _keep(self, flow: Any, step_name: str, failed: bool) -> None:
        """End, and give the flow the artifact."""
        name = self.attributes["artifact_name"]
        if self._tracker is None and self._error is None:
            return          # a decorator before ours has failed: never begun
        found: Dict[str, Any] = {"error": self._error}
        try:
            if self._tracker is not None and self._error is None:
                self._tracker.stop(int(failed))
                found = {"step_failed": failed,
                         "tracker": self._tracker.snapshot(),
                         "historical_stats": earlier_stats(flow.name,
                                                           step_name, name)}
        except Exception as error:
            found = {"error": _described(error)}
        finally:
            if self._tracker is not None:
                self._tracker.cleanup()
            self._tracker = self._error = None
        setattr(flow, name, found)


def _described(error: BaseException) -> Dict[str, str]:
    return {"error_type": type(error).__name__, "error_message": str(error),
            "traceback": "".join(traceback.format_exception(
                type(error), error, error.__traceback__))}


def earlier_stats(flow: str, step: str, artifact: str) -> List[Stats]:
    """Of the first task of the step, in the last runs that succeeded."""
    from metaflow import Flow, current

    found = []
    try:
        others = (run for run in Flow(flow) if run.id != current.run_id)
        for run in islice(others, EARLIER_RUNS):
            if run.successful:
                found += _stats_of(run, step, artifact)
    except Exception as error:          # the first run of a flow, or no service
        logger.debug("no earlier runs of %s: %s", flow, error)
    return found


def _stats_of(run: Any, step: str, artifact: str) -> List[Stats]:
    """[] where that run did not track the step."""
    try:
        snapshot = run[step].task[artifact].data["tracker"]
        tracker = ResourceTracker.from_snapshot(snapshot)
    except Exception as error:
        logger.debug("%s of %s is not known: %s", step, run, error)
        return []
    try:
        return [tracker.stats()]
    finally:
        tracker.cleanup()


def _add_card(decorators: List[Any], step_name: str, artifact: str) -> None:
    """A @card of ours, which is made of failed steps, too."""
    from metaflow.plugins.cards.card_decorator import CardDecorator

    identity = f"resource_tracker_{step_name}"
    if any(each.attributes.get("id") == identity for each in decorators):
        return                          # some commands begin steps twice
    # Static: any other is handed to the tasks, of which each adds its own.
    card = CardDecorator(statically_defined=True, attributes={
        "type": CARD, "id": identity, "options": {"artifact_name": artifact}})
    finish = card.task_finished

    def finished(step: str, flow: Any, graph: Any, is_task_ok: bool,
                 *more: Any) -> None:
        finish(step, flow, graph, True, *more)
    card.task_finished = finished
    decorators.append(card)             # Metaflow's own loop comes to it
    # A card before ours has counted them.
    CardDecorator._set_card_counts_per_step(
        step_name, sum(each.name == "card" for each in decorators))
