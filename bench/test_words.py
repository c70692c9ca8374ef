"""test_words.py - words of bench/run for figures within the noise."""
import importlib.machinery
import importlib.util
import pathlib

LOADER = importlib.machinery.SourceFileLoader("bench_run", str(pathlib.Path(__file__).with_name("run")))
run = importlib.util.module_from_spec(importlib.util.spec_from_loader("bench_run", LOADER))
LOADER.exec_module(run)


def test_a_figure_within_the_noise_is_marked():
    assert run.more(310, "ns") == "310 ns"
    assert run.more(-4, "ns") == "within noise (-4 ns)" and run.more(0, "ns") == "within noise (0 ns)"
