// parts.test.js - the pure parts of the page, without a browser.
import assert from "node:assert/strict";
import { test } from "node:test";
import { readAddress, writeAddress } from "../../src/report/web/address.js";
import { balance, onOneBasis, ranAtOnce } from "../../src/report/web/balance.js";
import { bandAt, bandsNote, bandsOf, stretches } from "../../src/report/web/bands.js";
import { moment, setClock, setStart, timeSplits, timeTicks } from "../../src/report/web/clock.js";
import { lineTable, toCsv } from "../../src/report/web/csv.js";
import { commonTree, pathOfNode } from "../../src/report/web/common_tree.js";
import { differencesOf, sharedRegions, shiftsOf } from "../../src/report/web/differences.js";
import { linesOf, readData, worthDrawing } from "../../src/report/web/data.js";
import { axisLabels, duration, number, quantity, timeLabels } from "../../src/report/web/format.js";
import { zoomedAround } from "../../src/report/web/gestures.js";
import { decodeSteps, valueOfSteps } from "../../src/report/web/line_code.js";
import { nest, pack, packByName } from "../../src/report/web/packing.js";
import { linePicture } from "../../src/report/web/picture.js";
import { bucketAt, bucketsIn, sharesOf, stack, statistics, topOf } from "../../src/report/web/statistics.js";
import { boxesOf, treeOf } from "../../src/report/web/program_tree.js";
import { compareValues } from "../../src/report/web/table.js";
import { tilesOf } from "../../src/report/web/tiles.js";
import { makeTiers, shifted, showWindow } from "../../src/report/web/tiers.js";
import { makeTimeline } from "../../src/report/web/timeline.js";
import { day, SPIKE_AT } from "./runs.js";

// table(f, [[arguments..., expected], ...])
const table = (f, rows) => rows.forEach((row) => assert.equal(f(...row.slice(0, -1)), row.at(-1), `${f.name}(${row.slice(0, -1)})`));

test("numbers for people", () => {
	table(number, [[0, "0"], [1.234, "1.23"], [12.34, "12.3"], [999.4, "999"], [999.6, "1,000"], [1234567, "1,234,567"], [0.0123, "0.0123"],
		[1e-9, "< 0.000001"], [-1234, "−1,234"], [null, "–"]]);
	table(quantity, [[0, "B", "0 B"], [999, "B", "999 B"], [1023, "B", "0.999 KiB"], [1024, "B", "1 KiB"], [2 ** 20 - 1, "B", "1 MiB"], [5.1 * 2 ** 30, "B", "5.1 GiB"],
		[2 ** 60 * 1.5, "B", "1.5 EiB"], [2048, "B/s", "2 KiB/s"], [1, "cores", "1 core"], [2.5, "cores", "2.5 cores"], [0.0007, "cores", "0.07 % of a core"],
		[0.5, "share", "50 %"], [12.5, "percent", "12.5 %"], [2e6, "count", "2 M"], [999999, "count", "999,999"], [71, "C", "71 °C"],
		[-1.5 * 2 ** 20, "B", "−1.5 MiB"], [null, "B", "–"], [undefined, "cores", "–"], [3, "apples", "3 apples"]]);
});

test("times for people", () => {
	table(duration, [[0, "0s"], [0.0021, "2.1 ms"], [0.9996, "1s"], [12.34, "12.3s"], [59.96, "1m 00.0s"], [60, "1m 00.0s"], [312, "5m 12.0s"],
		[3599.97, "1h 00m 00s"], [7500, "2h 05m 00s"], [90000, "1d 01h 00m"], [-5, "−5s"], [null, "–"]]);
});

test("labels of axes are all in one unit", () => {
	assert.deepEqual(axisLabels([0, 2 ** 29, 2 ** 30], "B"), ["0", "0.5 GiB", "1 GiB"]);
	assert.deepEqual(axisLabels([0, 0.5, 1], "share"), ["0 %", "50 %", "100 %"]);
	assert.deepEqual(timeLabels([0, 20, 40], 20), ["0", "20s", "40s"]);
	assert.deepEqual(timeLabels([0, 60, 120], 60), ["0", "60s", "120s"]);
	assert.deepEqual(timeLabels([0, 300, 600], 300), ["0", "5m", "10m"]);
	assert.deepEqual(timeLabels([590, 605, 620], 15), ["9m 50s", "10m 05s", "10m 20s"]);
	assert.deepEqual(timeLabels([0, 7200, 14400], 7200), ["0", "2h", "4h"]);
	assert.deepEqual(timeLabels([9000, 10800], 1800), ["2h 30m", "3h 00m"]);
	assert.deepEqual(timeLabels([0, 86400, 172800], 86400), ["0", "1d", "2d"]);
});

test("buckets end at their time", () => {
	const times = [10, 20, 30];
	table(bucketAt, [[times, 0, 0], [times, 10, 0], [times, 10.1, 1], [times, 30, 2], [times, 30.1, -1], [[], 1, -1]]);
	assert.deepEqual(bucketsIn(times, [10, 20]), [1, 1]);
	assert.deepEqual(bucketsIn(times, [5, 100]), [0, 2]);
	assert.deepEqual(bucketsIn(times, [40, 50]), [0, -1]);
});

test("a mean is weighted by time, and a maximum is that of the samples, not of the buckets", () => {
	const line = { times: [10, 40], mean: [4, 1], min: [0, 1], max: [9, 1] };
	assert.deepEqual(statistics(line, [0, 40]), { mean: 1.75, highest: 9, highestAt: 10 });
	assert.equal(statistics(line, [10, 40]).mean, 1);
	assert.equal(statistics({ times: [1, 2], mean: [null, 3] }, [0, 2]).mean, 3, "what is not known has no part");
	assert.equal(statistics({ times: [1], mean: [null] }, [0, 1]).highest, null);
	assert.equal(topOf({ ...line, high: [5, 12] }, [0, 40]), 12);
});

test("stacked lines add up, and unknown values add nothing", () => {
	const [first, second] = stack([{ mean: [1, null, null] }, { mean: [2, 3, null] }]);
	assert.deepEqual(first, { low: [0, 0, null], high: [1, 0, null] });
	assert.deepEqual(second, { low: [1, 0, null], high: [3, 3, null] });
});

test("bars share a lane only if they do not overlap", () => {
	const bars = [{ start: 0, end: 5 }, { start: 5, end: 9 }, { start: 4, end: 6 }, { start: 0, end: 1 }];
	assert.deepEqual(pack(bars), { lane: [0, 0, 1, 1], lanes: 2 });
	assert.deepEqual(pack([]), { lane: [], lanes: 0 });
	const nested = nest([{ thread: 7, depth: 0 }, { thread: 7, depth: 2 }, { thread: 9, depth: 0 }]);
	assert.deepEqual(nested, { lane: [0, 2, 3], lanes: 4, threads: [{ thread: 7, first: 0 }, { thread: 9, first: 3 }] });
});

test("processes lie below each other by program, the one with most CPU time first", () => {
	const bars = [["sh", 0, 9], ["gzip", 1, 5], ["gzip", 4, 6], ["gzip", 6, 8], ["odd", 2, 3]].map(([name, start, end]) => ({ name, start, end }));
	assert.deepEqual(packByName(bars, ["gzip", "none", "sh"]), {
		lane: [2, 0, 1, 0, 3], lanes: 4, groups: [{ name: "gzip", first: 0 }, { name: "sh", first: 2 }, { name: "odd", first: 3 }],
	});
});

test("CSV quotes cells that need it, and no cell is a formula", () => {
	assert.equal(toCsv(["a", "b,c"], [[1.5, 'say "x"'], [null, "line\nbreak"], ["=1+1", "@x"]]),
		'a,"b,c"\r\n1.5,"say ""x"""\r\n,"line\nbreak"\r\n\'=1+1,\'@x\r\n');
	const { columns, rows } = lineTable([{ key: "cpu", label: "CPU", unit: "cores", times: [1, 2], mean: [3, null], max: [4, 5] }]);
	assert.deepEqual(columns, ["time_seconds", "cpu", "cpu_max"]);
	assert.deepEqual(rows, [[1, 3, 4], [2, null, 5]]);
});

test("numbers sort as numbers, names in natural order, and unknown values last", () => {
	const sorted = (values, direction) => [...values].sort((a, b) => compareValues(a, b, direction));
	assert.deepEqual(sorted([2, null, 1e-7, 30, -5], 1), [-5, 1e-7, 2, 30, null]);
	assert.deepEqual(sorted([2, null, 1e-7, 30, -5], -1), [30, 2, 1e-7, -5, null]);
	assert.deepEqual(sorted(["cc10", "cc9", undefined, "AA"], 1), ["AA", "cc9", "cc10", undefined]);
});

test("the balance of runs", () => {
	assert.deepEqual(balance([1, 1, 4, null]), { lowest: 1, mean: 2, highest: 4, ratio: 2, at: 2 });
	assert.equal(balance([3, null]), null);
	assert.equal(balance([0, 0]).ratio, null);
	const at = (started_at, duration_seconds = 100) => ({ started_at, duration_seconds });
	assert.ok(ranAtOnce([at(1000), at(1020), at(1050)]));
	assert.ok(!ranAtOnce([at(1000), at(1051)]), "one after the other");
	assert.ok(!ranAtOnce([at(null), at(1000)]), "not known");
});

test("a quantity of several runs has one meaning for all of them", () => {
	const of = (...all) => all.map((peak_memory) => ({ quantities: peak_memory && { peak_memory } }));
	const both = { PSS: 1, RSS: 2 };
	assert.deepEqual(onOneBasis(of(both, both), "peak_memory"), { basis: "PSS", values: [1, 1] });
	assert.deepEqual(onOneBasis(of(both, { RSS: 3 }), "peak_memory"), { basis: "RSS", values: [2, 3] });
	assert.deepEqual(onOneBasis(of(both, null, { RSS: 3 }), "peak_memory"), { basis: "RSS", values: [2, null, 3] });
	assert.equal(onOneBasis(of(both, { machine: 9 }), "peak_memory"), null);
	assert.equal(onOneBasis(of(null, null), "peak_memory"), null);
});

test("the time window stays inside the run", () => {
	const told = [];
	const timeline = makeTimeline(100, (f) => f());
	timeline.listen(({ window, cursor }) => told.push([...window, cursor]));
	timeline.setCursor(20);
	timeline.zoom(0.5);
	assert.deepEqual(timeline.window, [10, 60]);
	timeline.pan(-1);
	assert.deepEqual(timeline.window, [0, 50]);
	timeline.pan(5);
	assert.deepEqual(timeline.window, [50, 100]);
	timeline.zoom(8);
	assert.ok(timeline.isWhole);
	timeline.setWindow(99.9999999, 99.99999991);
	assert.ok(timeline.window[1] - timeline.window[0] > 0 && timeline.window[1] <= 100);
	timeline.setCursor(500);
	assert.equal(timeline.cursor, 100);
	assert.ok(told.length >= 6);
});

test("the job's lines have colours of the palette, one or two of the machine are grey", () => {
	const series = (key, aside, style = "line") => ({ key, chart: "cpu", label: key, unit: "cores", kind: "rate", style, aside, mean: [1] });
	const colours = (list) => linesOf({ times: [1], series: list }, "cpu").map((line) => line.colour);
	assert.deepEqual(colours([series("a"), series("m", true), series("b"), series("l", false, "limit"), series("n", true, "limit")]),
		["series-1", "machine", "series-2", "limit", "machine"]);
	assert.deepEqual(colours([series("m", true), series("n", true)]), ["series-1", "series-2"], "no job: nothing to stand back from");
});

test("runs of one name are distinguished", () => {
	const data = readData(JSON.stringify({ format: 1, runs: [{ id: "a", name: "x" }, { id: "b", name: "x" }, { id: "c", name: "y" }] }));
	assert.deepEqual(data.runs.map((run) => run.title), ["x #1", "x #2", "y"]);
});

test("control characters in names are replaced", () => {
	const name = "a\u202eb\u2066c\u2069d\u200fe\u061cf\u0085g\u2028h";
	const data = readData(JSON.stringify({ format: 1, runs: [{ id: "a", name, tables: { [name]: name } }] }));
	assert.equal(data.runs[0].title, "a?b?c?d?e?f?g?h");
	assert.deepEqual(data.runs[0].tables, { "a?b?c?d?e?f?g?h": "a?b?c?d?e?f?g?h" });
	assert.equal(readData(JSON.stringify({ format: 1, runs: [{ name: "größer – 日本" }] })).runs[0].title, "größer – 日本");
});

test("tiles: none of 0, none unknown, at most six", () => {
	const series = (key, mean) => ({ key, mean });
	const run = {
		duration_seconds: 10, outcome: "failed", times: [5, 10],
		quantities: { cpu_time: { job: 5 }, peak_memory: { PSS: 2 ** 30, RSS: 2 ** 31 }, disk_read: { job: 0 }, disk_written: { job: 2048 },
			net_received: { machine: 9e9 }, mean_gpu: { machine: 0 }, peak_gpu_memory: { machine: 0 } },
		series: [series("cgroup.cpu_available_cores", [2, 2]), series("cgroup.memory_limit_bytes", [2 ** 32, 2 ** 32]),
			series("process.net_recv_bytes", [0, 0]), series("process.net_sent_bytes", [null, 0])],
	};
	const tiles = tilesOf(run).map(({ label, value, note, share }) => [label, value, note, share]);
	assert.deepEqual(tiles, [["Duration", "10s", "failed", undefined], ["CPU efficiency", "25 %", "0.5 of 2 cores, 5s in all", 0.25],
		["Peak memory", "1 GiB", "25 % of 4 GiB, PSS", 0.25], ["Disk", "2 KiB", "written", undefined]]);
	assert.deepEqual(tilesOf({ outcome: "unknown" }), []);
	const machine = tilesOf({ quantities: { net_received: { machine: 2048 }, mean_gpu: { job: 0.5 } } });
	assert.deepEqual(machine.map(({ label, value }) => [label, value]), [["Network of the machine", "2 KiB"], ["GPU", "0.5 GPUs"]]);
	const cpu = { duration_seconds: 4, quantities: { cpu_time: { machine: 4 } }, series: [series("cpu.count", [2])] };
	assert.deepEqual([tilesOf(cpu)[1].label, tilesOf(cpu)[1].share], ["CPU of the machine", 0.5]);
});

test("shares: the largest first, none that would not be seen", () => {
	const shares = sharesOf([{ name: "a", value: 1 }, { name: "b", value: 3 }, { name: "c", value: null }, { name: "d", value: 0.001 }]);
	assert.deepEqual(shares.map(({ name }) => name), ["b", "a"]);
	assert.ok(Math.abs(shares[0].share - 0.75) < 0.001);
	assert.deepEqual(sharesOf([]), []);
});

test("programs by what started them", () => {
	const columns = ["program", "parent", "cpu_seconds", "new", "processes", "branches"];
	const tree = treeOf({ columns, branches: [["sh", -1, 1, 0, 1, 1], ["cc", 0, 2, 0, null, 1], ["cc1", 1, 5, 0, 3, 1], ["sed", 0, 4, 0, 2, 1], [null, 0, 0, 0, 9, 7],
		["lost", null, 8, 0, 1, 1]] });
	assert.deepEqual(tree.all.map(({ name, level, all }) => [name, level, all.cpu, all.processes]), [["sh", 0, 12, 15], ["cc", 1, 7, 3], ["cc1", 2, 5, 3],
		["sed", 1, 4, 2], ["others (7 branches)", 1, 0, 9], ["(parent unknown)", 0, 8, 1], ["lost", 1, 8, 1]]);
	assert.equal(tree.all[0].all.memory, null, "unknown, not 0");
	const shown = (measure, focus) => boxesOf(tree, measure, focus).map(({ node, left, width, level }) => [node.name, left, width, level]);
	assert.deepEqual(shown("cpu", null), [["sh", 0, 0.6, 0], ["cc", 0, 0.35, 1], ["cc1", 0, 0.25, 2], ["sed", 0.35, 0.2, 1], ["(parent unknown)", 0.6, 0.4, 0], ["lost", 0.6, 0.4, 1]]);
	assert.deepEqual(shown("processes", tree.all[1]), [["sh", 0, 1, 0], ["cc", 0, 1, 1], ["cc1", 0, 1, 2]]);
	assert.deepEqual(shown("memory", null), []);
	assert.deepEqual(treeOf(undefined).all, []);
	assert.deepEqual(treeOf({ columns, branches: [["a", 7], ["b", 1], ["c", 0]] }).all.map(({ name, level }) => [name, level]), [["a", 0], ["c", 1], ["b", 0]]);
});

test("lines that are always 0 are left out, those of more than the job are off", () => {
	const line = (key, owner, mean, style = "line") => ({ key, owner, mean, style, times: [1, 2] });
	const lines = [line("job", "job", [0, 1]), line("swap", "job", [0, 0]), line("unknown", "job", [null, null]), line("machine", "machine", [5, 5]),
		line("cgroup.memory_current_bytes", "group", [2, 2]), line("limit", "group", [9, 9], "limit"), line("all", "machine", [9, 9], "limit")];
	const { drawn, zero, own } = worthDrawing(lines, 2);
	assert.deepEqual(zero.map(({ key }) => key), ["swap"]);
	assert.deepEqual(drawn.filter(({ hidden }) => hidden).map(({ key }) => key), ["machine", "cgroup.memory_current_bytes", "all"]);
	assert.ok(own);
	const aside = worthDrawing([line("job", "job", [0, 0]), line("machine", "machine", [5, 5])], 2);
	assert.deepEqual([aside.own, aside.drawn[0].hidden], [false, false]);
	assert.deepEqual(worthDrawing([line("job", "job", [0, 0]), line("limit", "group", [9, 9], "limit")], 2).drawn, []);
});

test("bands: where a line is high, regions of the main thread, marks and a failed end", () => {
	assert.deepEqual(stretches([1, 2, 3, 4], [0.5, null, 0.1, 0.6], 0.3), [{ start: 0, end: 1 }, { start: 3, end: 4 }]);
	assert.deepEqual(stretches([1, 2, 3, 4], [0.5, 0.5, 0.1, 0.6], 0.3, 1), [{ start: 0, end: 4 }], "short gaps are closed");
	const region = (path, start, end, thread = 7) => ({ path, depth: path.split("/").length - 1, thread, start, end });
	const bands = bandsOf({
		outcome: "failed", ending: "SIGKILL", times: [5, 10],
		series: [{ key: "cgroup.cpu_throttled_seconds", mean: [0, 0.4] }, { key: "pressure.cgroup_cpu_some_seconds", mean: [0.1, 0.1] }],
		regions: [region("a", 0, 8), region("a/b", 1, 2), region("other", 0, 3, 8), region("c", 8, null)],
		region_marks: [{ at: 4, text: "half", path: "a" }],
	}, 10);
	assert.deepEqual(bands.lanes.map(({ name, bands: of }) => [name, of.map(({ text, start, end }) => `${text} ${start} ${end}`)]),
		[["regions", ["a 0 8", "c 8 10"]], ["", ["a/b 1 2"]], ["throttled", ["held back by the CPU quota 5 10"]]]);
	assert.deepEqual(bands.marks.map(({ at, text }) => `${at} ${text}`), ["4 half (in a)", "10 SIGKILL"]);
	assert.equal(bandAt(bands, 1.5, [0, 10]).name, "b");
	assert.equal(bandAt(bands, 1.5, [1, 2]), null, "nothing shorter than what is shown");
	assert.equal(bandsNote(bands, 6), "a · throttled");
});

test("the time of day and the time since the start", () => {
	setStart(null);
	setClock(true);
	assert.equal(moment(90), "1m 30.0s", "no start is known");
	const midnight = new Date(2026, 4, 5).getTime() / 1000;
	setStart(midnight + 3600 + 7);
	setClock(true);
	assert.equal(moment(90), "01:01:37");
	assert.deepEqual(timeSplits(0, 120, 60), [53, 113], "ticks stand at whole minutes of the clock");
	assert.deepEqual(timeTicks([53, 113], 60), ["01:01", "01:02"]);
	setClock(false);
	assert.deepEqual(timeSplits(10, 125, 60), [60, 120]);
	assert.equal(moment(90), "1m 30.0s");
});

test("the address of a part", () => {
	const part = (from, to, isWhole = false) => ({ window: [from, to], isWhole });
	assert.equal(writeAddress(part(0, 10, true), false), "");
	assert.equal(writeAddress(part(1.23456, 2.5), true), "from=1.2346&to=2.5&clock=day");
	assert.deepEqual(readAddress("#from=1.235&to=2.5&clock=day"), { from: 1.235, to: 2.5, byDay: true });
	for (const wrong of ["", "#section-cpu", "#from=3", "#from=5&to=2", "#from=x&to=9", "#from=-1&to=9"])
		assert.equal(readAddress(wrong).from, null, wrong);
	assert.deepEqual(zoomedAround([0, 100], 25, 0.5), [12.5, 62.5]);
});

test("a picture escapes names and leaves gaps", () => {
	const line = { label: "<b>&'", times: [1, 2, 3, 4], mean: [1, null, 2, 1], colour: "series-1", average: true };
	const more = { title: "CPU", note: "cores", layers: null, bands: { lanes: [], marks: [] }, window: [0, 4], top: 2, unit: "cores" };
	const { svg, width, height } = linePicture({ ...more, lines: [line] }, (name) => `[${name}]`);
	assert.ok(width > 0 && height > 0);
	assert.ok(svg.includes("&#60;b&#62;&#38;&#39;") && !svg.includes("<b>"));
	assert.equal(svg.match(/stroke="\[series-1\]"/g).length, 2, "two parts");
});

test("series of numbers as text: tests/unit/test_line_code.c writes the same", () => {
	assert.deepEqual([...decodeSteps("~GKR_E2CA", 9)], [0, 0, 0, 5, -3, NaN, NaN, 40, 40]);
	assert.deepEqual([...decodeSteps("A", 3)], [0, NaN, NaN], "what is missing is unknown");
	assert.equal(decodeSteps("A!\u00e9<", 4).length, 4, "no text does harm");
	assert.ok(Math.abs(valueOfSteps(1000, { floor: 0.001, ratio: 0.01 }) - 0.001 * (1.01 ** 1000 - 1)) < 1e-9);
	assert.equal(valueOfSteps(-3, { floor: 1, ratio: 0.5 }), -valueOfSteps(3, { floor: 1, ratio: 0.5 }));
});

test("a day is shown down to its seconds, and a spike of one second is as high in every tier", () => {
	const run = day();
	run.tiers = makeTiers(run.detail);
	const lines = linesOf(run, "cpu");
	const [job, machine] = ["job", "machine"].map((label) => lines.find((line) => line.label === label));
	const shown = (from, to) => {
		showWindow(lines, [from, to]);
		return { points: job.times.length, highest: Math.max(...(job.max ?? job.mean)), same: machine.times === job.times };
	};
	for (const span of [86400, 40000, 5000, 900, 60, 4]) {
		const { points, highest, same } = shown(Math.max(SPIKE_AT - span / 2, 0), SPIKE_AT + span / 2);
		assert.ok(points <= 1202 && highest > 39.7 && highest < 40.3 && same, `${span} s: ${points} points, ${highest}`);
	}
	shown(SPIKE_AT - 5, SPIKE_AT + 5);
	const at = job.mean.findIndex((value) => value > 39);
	assert.deepEqual([job.times[at - 1], job.times[at]], [SPIKE_AT - 1, SPIKE_AT], "one second wide");
	assert.ok(job.mean.filter((value) => value > 39).length === 1 && job.max === undefined);
	const { mean, highestAt } = statistics(job, [SPIKE_AT - 1, SPIKE_AT]);
	assert.ok(Math.abs(mean - 40) < 0.2 && highestAt === SPIKE_AT);
	assert.equal(machine.mean.length, job.mean.length, "a line without rows has its points' values");
});

test("differences: on one basis, and only those that count", () => {
	const of = (quantities) => ({ quantities });
	const runs = [of({ duration: { run: 10 }, peak_memory: { PSS: 2 ** 30, RSS: 2 ** 31 }, disk_read: { job: 0 }, mean_cpu: { job: 1 } }),
		of({ duration: { run: 10.1 }, peak_memory: { RSS: 2 ** 31 + 2 ** 20 }, disk_read: { job: 2 ** 30 } }),
		of({ duration: { run: 15 }, peak_memory: { RSS: 2 ** 30 }, disk_read: { job: 1 } })];
	const found = new Map(differencesOf(runs, 0).map((one) => [one.name, one]));
	assert.deepEqual([...found.keys()], ["duration", "peak_memory", "disk_read"], "CPU is known of one run alone");
	assert.deepEqual(found.get("duration").values.map(({ verdict }) => verdict), ["same", "same", "more"]);
	assert.equal(found.get("peak_memory").basis, "RSS");
	assert.deepEqual(found.get("peak_memory").values.map(({ verdict, change }) => [verdict, change && Number(change.toFixed(2))]), [["same", 0], ["same", 0], ["less", -0.5]]);
	assert.deepEqual(found.get("disk_read").values.map(({ verdict, change }) => [verdict, change]), [["same", null], ["more", null], ["same", null]]);
	assert.equal(differencesOf(runs, 1).find((one) => one.name === "duration").values[0].verdict, "same");
});

test("branches of several runs: by their path, and what one has among its others is among those of all", () => {
	const columns = ["parent", "program", "processes", "cpu_seconds", "peak_rss_bytes", "branches"];
	const trees = [
		{ columns, full: false, branches: [[-1, "make", 1, 1, null, 1], [0, "sh", 4, 2, null, 1], [1, "cc", 4, 30, null, 1], [0, "tar", 1, 5, null, 1], [3, "xz", 1, 7, null, 1]] },
		{ columns, full: false, branches: [[-1, "make", 1, 1, null, 1], [0, "sh", 4, 2, null, 1], [0, null, 6, 20, null, 3], [null, "lost", 1, 1, null, 1]] },
	];
	const { nodes, counts } = commonTree(trees);
	const shown = nodes.map((node) => [pathOfNode(node).join("/"), ...trees.map((_, run) => node.in[run] && [node.in[run].own, node.in[run].all, node.in[run].processes])]);
	assert.deepEqual(shown, [
		["make", [1, 45, 1], [1, 23, 1]],
		["make/sh", [2, 32, 4], [2, 2, 4]],
		["make/sh/cc", [30, 30, 4], undefined],
		["make/others", [12, 12, 2], [20, 20, 6]],
		["(parent unknown)", undefined, [0, 1, null]],
		["(parent unknown)/lost", undefined, [1, 1, 1]],
	]);
	assert.deepEqual(counts, [true, true]);
	assert.deepEqual(commonTree([{ ...trees[0], full: true }, { columns, branches: [[-1, "make", null, 1, null, 1]] }]).counts, [false, false]);
});

test("runs are aligned at a region that all have", () => {
	const runs = [{ regions: [{ path: "load", start: 1 }, { path: "train", start: 9 }, { path: "train", start: 5 }] }, { regions: [{ path: "train", start: 7 }] }];
	assert.deepEqual(sharedRegions(runs), [{ name: "train", begins: [5, 7] }]);
	assert.deepEqual(shiftsOf([5, 7]), [2, 0]);
	assert.deepEqual(sharedRegions([{}, { regions: [] }]), []);
	assert.deepEqual(shifted({ times: [1, 2], mean: [3, 4] }, 2), { times: [2, 3, 4], mean: [null, 3, 4], min: undefined, max: undefined, low: undefined, high: undefined });
});

test("the window of a run that goes on", () => {
	const timeline = makeTimeline(100, (f) => f());
	timeline.setEnd(110);
	assert.deepEqual([timeline.window, timeline.isWhole], [[0, 110], true], "the whole run stays the whole run");
	timeline.setWindow(90, 110);
	timeline.setEnd(115);
	assert.deepEqual(timeline.window, [95, 115], "the newest moment stays in view");
	timeline.setWindow(20, 30);
	timeline.setEnd(120);
	assert.deepEqual(timeline.window, [20, 30], "another part stays");
	timeline.setEnd(80);
	assert.deepEqual(timeline.window, [0, 80]);
});
