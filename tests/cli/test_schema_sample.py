"""test_schema_sample.py - printed samples match docs/reference/sample.schema.json."""
import json
import os
import pathlib

import jsonschema
import pytest

SCHEMA = json.loads((pathlib.Path(__file__).parents[2] / "docs/reference/sample.schema.json").read_text())


@pytest.fixture(scope="module")
def validator():
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    return jsonschema.Draft202012Validator(SCHEMA)


def samples(result):
    assert result.returncode == 0, result.stderr
    return [json.loads(line) for line in result.stdout.splitlines()]


def assert_sorted(value):
    if isinstance(value, dict):
        assert list(value) == sorted(value, key=str.encode)
        value = list(value.values())
    if isinstance(value, list):
        for item in value:
            assert_sorted(item)


def test_the_machine(run, validator):
    lines = samples(run("-i", "0.1", "--samples", "2", "--record", "none"))
    assert len(lines) == 2
    for line in lines:
        validator.validate(line)
        assert_sorted(line)
        assert line["process"] is None and line["tracked_pid"] is None and line["roots"] == []
    # Samples are on a grid: one that is late has a short interval after it, and missed ones are part of the next.
    late = [line["tracker"]["late_seconds"] for line in lines]
    assert lines[1]["actual_interval_ms"] == pytest.approx(
        100 * (1 + lines[1]["tracker"]["missed_samples"]) + 1000 * (late[1] - late[0]), abs=5)


def test_a_process(run, validator):
    lines = samples(run("-i", "0.1", "--samples", "2", "--record", "none", "--pid", os.getpid()))
    assert len(lines) == 2
    for line in lines:
        validator.validate(line)
        assert_sorted(line)
        assert line["tracked_pid"] == os.getpid()
        assert line["process"]["rss_bytes"] > 0
        assert line["cpu"]["process_rss_mib"] == int(line["process"]["rss_bytes"]) >> 20


@pytest.mark.parametrize("broken", [
    {"cpu": None}, {"timestamp_secs": "now"}, {"disk": {}}, {"network": [{"interface": "eth0"}]},
    {"process": {"count": 1}}, {"gpu_total": {"utilized": "none"}},
])
def test_the_schema_can_refuse(run, validator, broken):
    line = samples(run("-i", "0.1", "--samples", "1", "--record", "none"))[0]
    with pytest.raises(jsonschema.ValidationError):
        validator.validate(line | broken)
