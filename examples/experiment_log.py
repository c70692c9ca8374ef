"""experiment_log.py - the use of a block in a tracker of experiments, beside its losses and accuracies.

    with experiment_log.logged(mlflow, "fit"):          # whatever has log_metrics(values, step=number)
        model.fit(data)
"""
import itertools

import resource_tracker


def logged(experiment, name="job", interval=10.0):
    """track() with its samples as metrics of the experiment; at the end come its totals and peaks."""
    steps = itertools.count()

    def on_sample(sample):
        experiment.log_metrics({key: value for key, value in sample.items() if key.startswith("process.")}, step=next(steps))

    def on_end(run):
        totals = {f"run.{key}": value for key, value in run.summary().items() if value is not None}
        experiment.log_metrics(totals, step=next(steps))

    return resource_tracker.track(name, interval, on_sample=on_sample, on_end=on_end)
