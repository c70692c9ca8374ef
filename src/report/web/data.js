// data.js - the data that `resource-tracker report` put into the page; docs/reference/report-data.md describes them.

import { topOf } from "./statistics.js";
import { makeTiers, shifted } from "./tiers.js";

const SERIES_COLOURS = 12;

// Names can hold any character: removes C1 controls, and those that change the direction of text (src/text/shown.c
// has the same).
const UNFIT = /[\u007f-\u009f\u061c\u200e\u200f\u2028-\u202e\u2066-\u2069]/g;

// -> the data, or a sentence with the reason why there are none.
export function readData(text) {
	if (text === null)
		return "This page holds no data: it is the empty template of resource-tracker report.";
	let data;
	try {
		data = JSON.parse(text.replace(UNFIT, "?"));
	} catch (error) {
		return `The data in this page cannot be read: ${error.message}.`;
	}
	if (data.format !== 1)
		return `The data in this page are of format ${data.format}, and this page reads format 1.`;
	if (data.job)
		return data;
	if (!data.runs?.length)
		return "There is no run in this page.";
	nameRuns(data.runs);
	for (const run of data.runs)
		run.tiers = makeTiers(run.detail);
	return data;
}

// Gives each run a unique title: its name, and a number if others have the same name.
function nameRuns(runs) {
	const plain = (run) => run.name ?? run.command ?? "a run";
	for (const run of runs) {
		const alike = runs.filter((other) => plain(other) === plain(run));
		run.title = alike.length === 1 ? plain(run) : `${plain(run)} #${alike.indexOf(run) + 1}`;
	}
}

export const endOf = (run) => Math.max(run.duration_seconds ?? 0, run.times?.at(-1) ?? 0);

export const seriesColour = (i) => `series-${(i % SERIES_COLOURS) + 1}`;

// Its values at the points of the run, and what tiers.js needs to show its rows.
function withRows(run, series) {
	const coarse = { times: run.times, mean: series.mean, min: series.min, max: series.max, low: series.bound_low, high: series.bound_high };
	return { ...coarse, coarse, tiers: run.tiers, rows: run.tiers?.of(series) ?? null };
}

// The lines of one chart of a run: the job's in colours, the machine's in grey.  average: a value holds for its whole
// bucket; else it is that of a moment.
export function linesOf(run, chart) {
	const all = (run.series ?? []).filter((series) => series.chart === chart);
	const lines = all.map((series) => ({
		...series, ...withRows(run, series),
		owner: series.aside ? "machine" : /^cgroup[._]/.test(series.key) ? "group" : "job",
		average: series.kind !== "level" || series.unit === "cores",
	}));
	const drawn = lines.filter((line) => line.style !== "limit");
	const beside = drawn.filter((line) => line.owner === "machine");
	const grey = beside.length <= 2 && beside.length < drawn.length ? beside : [];
	grey.forEach((line, i) => Object.assign(line, { colour: "machine", dash: i ? [6, 4] : undefined }));
	drawn.filter((line) => !grey.includes(line)).forEach((line, i) => {
		line.colour = seriesColour(i);
		line.dash = i < SERIES_COLOURS ? undefined : [6, 4];
	});
	for (const line of lines.filter((one) => one.style === "limit"))
		Object.assign(line, { colour: line.owner === "machine" ? "machine" : "limit", dash: [4, 4] });
	return lines;
}

// Lines that are more than the job: off at first, so that the axis fits the job.
const PAGE_CACHE = "cgroup.memory_current_bytes";
const isMore = (line) => line.owner === "machine" || line.key === PAGE_CACHE;

// The lines of a chart that are worth drawing: without those that are always 0.  Those of more than the job are
// `hidden`, if any of its own is left.  -> { drawn, zero, own: it has lines of the job }
export function worthDrawing(lines, end) {
	const [zero, drawn] = [[], []];
	for (const line of lines)
		(line.style !== "limit" && topOf(line, [0, end]) === 0 && isKnown(line) ? zero : drawn).push(line);
	const own = drawn.some((line) => line.style !== "limit" && line.owner !== "machine");
	const isAside = lines.some((line) => line.style !== "limit" && line.owner !== "machine");
	const limits = drawn.filter((line) => line.style === "limit" && line.owner !== "machine");
	for (const line of drawn)
		line.hidden = own && isMore(line) && (line.style !== "limit" || limits.length > 0);
	return { drawn: drawn.some((line) => line.style !== "limit") ? drawn : [], zero, own: own || !isAside };
}

const isKnown = (line) => line.mean.some((value) => value !== null);

// The use of no program: of processes that ended before a sample saw them.
export const SHORT_LIVED = "(short-lived)";

function shortLivedLines(run) {
	return (run.series ?? []).filter(({ key }) => key === "process.unaccounted_cpu_seconds").map(({ mean }) => ({
		key: "short_lived_cores", label: SHORT_LIVED, unit: "cores", average: true, style: "area", times: run.times, mean,
		owner: "job", colour: seriesColour(run.programs.length),
	}));
}

// The programs of a run as lines to be stacked: quantity is "cpu" or "memory".
export function programLines(run, quantity) {
	const unit = quantity === "cpu" ? "cores" : "B";
	const lines = (run.programs ?? []).map((program, i) => ({ program, colour: programColour(run, program.name, i) }))
		.filter(({ program }) => program[quantity] && isKnown({ mean: program[quantity] }))
		.map(({ program, colour }) => ({
			key: `${program.name}_${quantity === "cpu" ? "cores" : "bytes"}`, label: program.name, isName: true, unit,
			average: quantity === "cpu", style: "area", times: run.times, mean: program[quantity], owner: "job", colour,
		}));
	return lines.length && quantity === "cpu" ? [...lines, ...shortLivedLines(run)] : lines;
}

// A program has the same colour everywhere.
export function programColour(run, name, index = (run.programs ?? []).findIndex((program) => program.name === name)) {
	return index < 0 || name === "others" ? "machine" : seriesColour(index);
}

// The same quantity of several runs, one line for each run.  shifts: how much later each is drawn.
export function quantityLines(runs, chart, key, shifts = []) {
	return runs.flatMap((run, i) => linesOf(run, chart)
		.filter((line) => line.key === key)
		.map((line) => ({
			...shifted(line, shifts[i] ?? 0), shift: shifts[i] ?? 0, low: undefined, high: undefined, coarse: { ...line.coarse, low: undefined, high: undefined }, style: "line", owner: "job", label: run.title, isName: true,
			quantity: line.label, colour: seriesColour(i), dash: i < SERIES_COLOURS ? undefined : [6, 4],
		})));
}
