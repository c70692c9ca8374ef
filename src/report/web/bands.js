// bands.js - what happened during a run, as bands and marks over the time: regions, waiting, throttling, the end.  Pure.
import { seriesColour } from "./data.js";

const REGION_LANES = 3;         // of nesting
const MOST_BANDS = 150;         // in a lane: the longest
const MOST_MARKS = 60;

// Lines that say that the job was held back: a band where the line is at least so high.
const HELD = [
	["cgroup.cpu_throttled_seconds", 0.05, "throttled", "held back by the CPU quota", "limit"],
	["pressure.cgroup_cpu_some_seconds", 0.25, "wait: CPU", "waited for a CPU for a quarter of the time or more", "wait-cpu"],
	["pressure.cgroup_memory_some_seconds", 0.1, "wait: memory", "waited for memory for a tenth of the time or more", "wait-memory"],
	["pressure.cgroup_io_some_seconds", 0.25, "wait: disk", "waited for disks for a quarter of the time or more", "wait-disk"],
].map(([key, from, name, text, colour]) => ({ key, from, name, text, colour }));

// The stretches of time in which a line is at least `from`; gaps shorter than `gap` are closed.
export function stretches(times, mean, from, gap = 0) {
	const found = [];
	mean.forEach((value, i) => {
		if (value === null || value < from)
			return;
		const start = i > 0 ? times[i - 1] : 0;
		const last = found.at(-1);
		if (last && start - last.end <= gap)
			last.end = times[i];
		else
			found.push({ start, end: times[i] });
	});
	return found;
}

const longest = (bands) => [...bands].sort((a, b) => (b.end - b.start) - (a.end - a.start)).slice(0, MOST_BANDS)
	.sort((a, b) => a.start - b.start);

// The thread that spent most time in regions: bands of several would overlap.
function mainThread(regions, end) {
	const seconds = new Map();
	for (const region of regions.filter(({ depth }) => depth === 0))
		seconds.set(region.thread, (seconds.get(region.thread) ?? 0) + (region.end ?? end) - region.start);
	return [...seconds].sort((a, b) => b[1] - a[1])[0]?.[0];
}

// A region has the same colour everywhere.
export function regionPaths(run) {
	return [...new Set([...(run.region_totals ?? []), ...(run.regions ?? [])].map((region) => region.path))];
}

function regionLanes(run, end) {
	const regions = run.regions ?? [];
	const [thread, paths] = [mainThread(regions, end), regionPaths(run)];
	return Array.from({ length: REGION_LANES }, (_, depth) => ({
		name: depth ? "" : "regions", kind: "region",
		bands: longest(regions.filter((one) => one.thread === thread && one.depth === depth).map((one) => ({
			start: one.start, end: one.end ?? end, name: one.path.split("/").at(-1), text: one.path,
			colour: seriesColour(paths.indexOf(one.path)),
		}))),
	}));
}

function heldLanes(run, end) {
	return HELD.map(({ key, from, name, text, colour }) => {
		const { mean } = (run.series ?? []).find((series) => series.key === key) ?? { mean: [] };
		return {
			name, kind: "held",
			bands: longest(stretches(run.times ?? [], mean, from, end / 200).map((one) => ({ ...one, name, text, colour }))),
		};
	});
}

function marksOf(run, end) {
	const set = (run.region_marks ?? []).slice(0, MOST_MARKS).map(({ at, text, path }) => ({
		at, name: text, text: path ? `${text} (in ${path})` : text, colour: "ink",
	}));
	const failed = run.outcome === "failed" ? [{ at: end, name: "failed", text: run.ending ?? "failed", colour: "bad" }] : [];
	return [...set, ...failed];
}

// -> { lanes: [{ name, kind: "region" or "held", bands: [{ start, end, name, text, colour }] }], marks: [{ at, name, text,
// colour }] }: lanes without a band are left out.
export function bandsOf(run, end) {
	return {
		lanes: [...regionLanes(run, end), ...heldLanes(run, end)].filter(({ bands }) => bands.length),
		marks: marksOf(run, end),
	};
}

// What was at a moment: the innermost region, and what held the job back.
export function bandsNote({ lanes }, at) {
	const there = ({ bands }) => bands.find((band) => band.start <= at && band.end >= at);
	const region = lanes.filter(({ kind }) => kind === "region").map(there).filter(Boolean).at(-1);
	const held = lanes.filter(({ kind }) => kind === "held").map(there).filter(Boolean);
	return [...(region ? [region.text] : []), ...held.map(({ name }) => name)].join(" · ");
}

// The shortest region at a moment, shorter than the visible part; null: none.
export function bandAt({ lanes }, at, [from, to]) {
	return lanes.filter(({ kind }) => kind === "region").flatMap(({ bands }) => bands)
		.filter((band) => band.start <= at && band.end >= at && band.end - band.start < 0.98 * (to - from))
		.sort((a, b) => (a.end - a.start) - (b.end - b.start))[0] ?? null;
}
