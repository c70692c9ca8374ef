"""The report of the drop-in's tracker: a page that needs nothing else."""
import json
import re

import pytest
from dropin_support import run_python

from resource_tracker import _report_charts, keeper
from resource_tracker.column_maps import PROCESS_COLUMNS, SYSTEM_COLUMNS
from resource_tracker.tracker import ResourceTracker


def tracked(count=5, gpus=(), cloud=None, **values):
    """A tracker that is over, with so many rows."""
    def rows(columns):
        return [{**dict.fromkeys(columns, 0), **{
            name: value for name, value in values.items() if name in columns},
            "timestamp": 1000.5 + at, "cpu_usage": at % 3} for at
            in range(count)]
    return ResourceTracker.from_snapshot({
        "metadata": {"interval": 1, "start_time": 1000, "stop_time": 1005,
                     "pid": 7},
        "server_info": {"os": "<Linux>", "vcpus": 2, "memory_mib": 24105.56,
                        "gpu_count": len(gpus), "gpu_names": list(gpus),
                        "gpu_name": "T4", "gpu_memory_mib": 15360.0},
        "cloud_info": cloud,
        "process_metrics": rows(PROCESS_COLUMNS),
        "system_metrics": rows(SYSTEM_COLUMNS)})


def data_of(report):
    """The points of the charts."""
    return json.loads(re.search(r"var data = (.*?);\n", report).group(1))


def cards_of(report):
    """{label: value} of the cards."""
    return dict(re.findall(r"<span>([^<]*)</span>([^<]*)\n</div>", report))


def test_the_page_has_the_words_and_no_error():
    report = tracked(memory_mib=400.3).report()
    assert report.startswith("<html>")
    for words in ("Process CPU usage", "System CPU usage", "Finished",
                  "<code>standalone</code>", "Process memory usage"):
        assert words in report
    assert "Error:" not in report and "&lt;Linux&gt;" in report
    cards = cards_of(report)
    assert cards["Allocation"] == "dedicated"
    assert cards["Memory"] == "24,106 MiB"
    assert cards["CPU average"] == "0.8" and cards["CPU peak"] == "2"
    assert cards["Memory peak"] == "400.3 MiB"
    assert cards["Resources for the next run"] == (
        "1 vCPUs, 512 MiB of memory")


def test_the_page_loads_nothing():
    report = tracked().report()
    assert not re.search(r"(src|href|url)\s*[=(]", report)
    assert "http" not in report


def test_status_and_integration():
    found = tracked()
    assert "Failed" in found.report(status_failed=True)
    report = found.report(integration="Metaflow")
    assert "from <code>Metaflow</code>" in report
    assert cards_of(report)["Resources for the next run"] == (
        "@resources(cpu=1, memory=128)")
    assert "from <code>R</code>" in found.report(integration="R")
    assert cards_of(found.report(integration="R"))[
        "Resources for the next run"]


def test_earlier_runs_are_shown_where_there_are_any():
    found = tracked()
    assert "CPU average of earlier runs" not in cards_of(found.report())
    cards = cards_of(found.report(historical_stats=[
        {"process_cpu_usage": {"mean": 4, "max": 6}}]))
    assert cards["CPU average of earlier runs"] == "4"
    assert cards["CPU peak of earlier runs"] == "6"
    assert cards["CPU average"] == "0.8"


def test_charts_of_gpus_are_there_with_gpus():
    assert set(data_of(tracked().report())) == {
        "cpu", "mem", "disk", "disk_space", "net"}
    report = tracked(gpus=["T4", "T4"], gpu_usage=1.5,
                     gpu_vram_mib=1000).report()
    assert {"gpu_usage", "gpu_utilized", "gpu_vram_mib"} < set(
        data_of(report))
    cards = cards_of(report)
    assert cards["GPUs"] == "2 x T4" and cards["GPU peak"] == "1.5"
    assert cards["VRAM peak"] == "1000 MiB"


def test_costs_and_savings_where_prices_are_known(monkeypatch):
    asked = []
    monkeypatch.setattr(keeper, "get_recommended_cloud_servers", lambda **_: [
        {"vendor_id": "x", "api_reference": "s", "min_price_ondemand": 3.6}])
    monkeypatch.setattr(keeper, "get_instance_price",
                        lambda *given: asked.append(given) or 7.2)
    cloud = {"vendor": "aws", "region": "us-1", "instance_type": "t3"}
    found = tracked(cloud=cloud)
    assert "Compute costs" not in cards_of(found.report())
    found.recommend_server()
    cards = cards_of(found.report())
    assert asked == [("aws", "us-1", "t3")]
    assert cards["Cloud provider"] == "aws"
    assert cards["Compute costs"] == "$0.010000"
    assert cards["Cheapest server"] == "x s"
    assert cards["Potential cost savings"] == "50.00 %, $0.005000"
    assert found.snapshot()["cloud_info"] == cloud
    unknown = tracked(cloud={**cloud, "instance_type": "unknown"})
    unknown.recommend_server()
    assert len(asked) == 1


def test_a_long_run_has_a_bounded_number_of_points_and_keeps_peaks():
    data = data_of(tracked(count=5000).report())["cpu"]
    assert len(data["times"]) == 1000
    assert set(data["values"][0]) == {2}


def test_no_text_of_the_data_ends_the_script():
    report = tracked(cloud={"vendor": "</script><b>"}).report()
    assert report.count("</script>") == 1


@pytest.mark.parametrize("count", [1, 2])
def test_few_rows_have_lines(count):
    report = tracked(count=count).report()
    assert re.search(r'<path class="process" d="M[^"]*L', report)


@pytest.mark.parametrize("value, kind, text", [
    (0, "bytes", "0 B"), (1536, "bytes", "1.5 KiB"),
    (2 ** 80, "bytes", "1073741824 PiB"), (1.5e9, "gb", "1.5 GB"),
    (2, "count", "2"), (2.345, "count", "2.35")])
def test_amounts(value, kind, text):
    assert _report_charts.amount(value, kind) == text


def test_a_report_while_it_runs_is_pending():
    code = ("import time\n"
            "from resource_tracker.tracker import ResourceTracker\n"
            "with ResourceTracker(interval=0.5) as t:\n"
            "    while not len(t.get_combined_metrics()): time.sleep(0.01)\n"
            "    print('Pending' in t.report())\n")
    assert run_python(code).stdout == "True\n"
