"""
metaflow.py - a stand-in: as much of Metaflow's interface as @track_resources and its test use, where Metaflow is not installed.

Names, arguments and the order of calls are those of Metaflow 2.19.38 (decorators.py, task.py, card_decorator.py).  Steps run
one after another in one process; artifacts and cards are files below METAFLOW_DATASTORE_SYSROOT_LOCAL.
"""
import os
import pathlib
import pickle
import sys
import traceback
from importlib import import_module

for _name in ("decorators", "cards", "plugins.cards.card_decorator", "plugins.cards.card_modules.card"):
    sys.modules[f"metaflow.{_name}"] = sys.modules[__name__]

STORE = pathlib.Path(os.environ["METAFLOW_DATASTORE_SYSROOT_LOCAL"]) / "stand-in"
EXTENSION = "metaflow_extensions.resource_tracker.plugins"


class current:
    run_id = ""


# ---- decorators ----------------------------------------------------------------------------------------------------

class StepDecorator:
    name, defaults = "", {}

    def __init__(self, attributes=None, statically_defined=False):
        assert set(attributes or {}) <= set(self.defaults)
        self.statically_defined = statically_defined
        self.attributes = {**self.defaults, **(attributes or {})}

    def step_init(self, flow, graph, step_name, decorators, environment, flow_datastore, logger):
        pass

    def task_pre_step(self, step_name, task_datastore, metadata, run_id, task_id, flow, graph, retry_count,
                      max_user_code_retries, ubf_context, inputs):
        pass

    def task_post_step(self, step_name, flow, graph, retry_count, max_user_code_retries):
        pass

    def task_exception(self, exception, step_name, flow, graph, retry_count, max_user_code_retries):
        pass

    def task_finished(self, step_name, flow, graph, is_task_ok, retry_count, max_user_code_retries):
        pass


class MetaflowCard:
    type = None


class CardDecorator(StepDecorator):
    name, defaults = "card", {"type": "default", "options": {}, "id": None}

    @classmethod
    def _set_card_counts_per_step(cls, step_name, total_count):
        pass

    def task_finished(self, step_name, flow, graph, is_task_ok, retry_count, max_user_code_retries):
        if is_task_ok:
            cards = import_module(f"{EXTENSION}.cards.mfextinit_resource_tracker").CARDS
            kind, = (card for card in cards if card.type == self.attributes["type"])
            card = kind(options=self.attributes["options"], components=[], graph={}, flow=flow)
            page = card.render(Task(flow.folder, step_name))
            with open(flow.folder / f"{step_name}.html", "x") as file:
                file.write(page)


def step(function):
    function.decorators = []
    return function


def track_resources(function=None, **attributes):
    if function is None:
        return lambda later: track_resources(later, **attributes)
    (name, path), = import_module(f"{EXTENSION}.mfextinit_resource_tracker").STEP_DECORATORS_DESC
    module, _, kind = path.rpartition(".")
    function.decorators.append(getattr(import_module(module), kind)(attributes, statically_defined=True))
    assert function.decorators[-1].name == name == "track_resources"
    return function


# ---- running -------------------------------------------------------------------------------------------------------

class FlowSpec:
    def __init__(self):
        self.name = type(self).__name__
        flow = STORE / self.name
        flow.mkdir(parents=True, exist_ok=True)
        current.run_id = str(1 + len(list(flow.iterdir())))
        self.folder = flow / current.run_id
        self.folder.mkdir()
        self.chosen = self.start
        while self.chosen:
            self.run_step(self.chosen)
        (self.folder / "successful").touch()

    def next(self, following):
        self.chosen = following

    def begun(self, name, decorators):
        for each in decorators:                         # also those that another one adds
            each.step_init(self, None, name, decorators, None, None, None)
        return decorators

    def run_step(self, function):
        """First as the process that starts tasks, which hands on what is not in the source; then as the task."""
        name, self.chosen = function.__name__, None
        runtime = self.begun(name, [type(each)(each.attributes, statically_defined=True) for each in function.decorators])
        handed_on = [type(each)(each.attributes) for each in runtime if not each.statically_defined]
        decorators = self.begun(name, [*function.decorators, *handed_on])
        ok = True
        try:
            for each in decorators:
                each.task_pre_step(name, None, None, current.run_id, "1", self, None, 0, 0, None, [])
            function()
            for each in decorators:
                each.task_post_step(name, self, None, 0, 0)
        except Exception as error:
            ok = any([each.task_exception(error, name, self, None, 0, 0) for each in decorators])
            traceback.print_exc()
        kept = {key: value for key, value in vars(self).items() if key not in ("chosen", "folder", "name")}
        (self.folder / name).write_bytes(pickle.dumps(kept))
        for each in decorators:
            each.task_finished(name, self, None, ok, 0, 0)
        if not ok:
            sys.exit(1)


# ---- what is left of runs ------------------------------------------------------------------------------------------

class Artifact:
    def __init__(self, data):
        self.data = data


class Task:
    def __init__(self, folder, name):
        self.folder, self.name = folder, name
        self.artifacts = pickle.loads((folder / name).read_bytes())

    def __contains__(self, name):
        return name in self.artifacts

    def __getitem__(self, name):
        return Artifact(self.artifacts[name])


class Step:
    def __init__(self, folder, name):
        self.task = Task(folder, name)


class Run:
    def __init__(self, folder):
        self.id, self.folder = folder.name, folder
        self.successful = (folder / "successful").exists()

    def __getitem__(self, name):
        return Step(self.folder, name)


def Flow(name):
    """An iterable of its runs, the newest first."""
    return (Run(STORE / name / str(number)) for number in range(len(list((STORE / name).iterdir())), 0, -1))


def namespace(name):
    pass


class CardNotPresentException(Exception):
    pass


class Card:
    def __init__(self, page):
        self.page = page

    def get(self):
        return self.page


def get_cards(task):
    page = task.folder / f"{task.name}.html"
    if not page.exists():
        raise CardNotPresentException()
    return [Card(page.read_text())]
