// run_lanes.js - the processes and the regions of one run as bars over the time.  Each is a list of parts, possibly
// empty.
import { regionPaths } from "./bands.js";
import { programColour, seriesColour } from "./data.js";
import { moment } from "./clock.js";
import { counted, duration, quantity } from "./format.js";
import { makeLanes } from "./lanes.js";
import { nest, pack, packByName } from "./packing.js";

const LABEL = 9;                // letters that the space beside a plot has room for

const until = (end) => ((end ?? null) === null ? "the end" : moment(end));

function processText({ name, pid, start, end, cpu_seconds, peak_bytes, ending }) {
	const words = [`${name} (${pid}): ${moment(start)} – ${until(end)}`, `CPU ${quantity(cpu_seconds, "s")}`,
		`peak ${quantity(peak_bytes, "B")}`];
	return (ending ? [...words, ending] : words).join(", ");
}

export function processLanes(run, context) {
	const processes = run.processes ?? [];
	const placed = processes.filter((process) => typeof process.start === "number");
	if (!placed.length)
		return [];
	const bars = placed.map((process) => ({
		start: process.start, end: process.end ?? context.timeline.end, name: process.name,
		colour: programColour(run, process.name), text: () => processText(process),
	}));
	const { lane, lanes, groups } = packByName(bars, (run.programs ?? []).map(({ name }) => name));
	bars.forEach((bar, i) => { bar.lane = lane[i]; });
	const [left, unplaced] = [run.processes_left_out ?? 0, processes.length - placed.length];
	const summary = [
		`${counted(bars.length, "process", "processes")} from start to end, by program, at most ${pack(bars).lanes} at once.`,
		left ? `${counted(left, "more used less CPU time and is", "more used less CPU time and are")} left out.` : "",
		unplaced ? `Only in the table, because their start is not known: ${unplaced}.` : "",
	].filter(Boolean).join(" ");
	const title = "Processes over time";
	return [makeLanes({
		...context, id: "process-lanes", title, summary, bars, lanes, what: "process",
		labels: groups.map(({ name, first }) => ({ lane: first, text: name.length > LABEL ? `${name.slice(0, LABEL - 1)}…` : name })),
	})];
}

export function regionLanes(run, context) {
	const regions = run.regions ?? [];
	if (!regions.length)
		return [];
	const paths = regionPaths(run);
	const used = new Set(regions.map((region) => region.path));
	const { lane, lanes, threads } = nest(regions);
	// Thread 0: entries from the file of regions, which come from an unknown thread.
	const known = threads.filter(({ thread }) => thread);
	const bars = regions.map(({ path, thread, start, end }, i) => {
		const over = end ?? context.timeline.end;
		return {
			start, end: over, lane: lane[i], name: path.split("/").at(-1), colour: seriesColour(paths.indexOf(path)),
			text: () => `${path}: ${moment(start)} – ${until(end)} (${duration(over - start)})${thread ? `, thread ${thread}` : ""}`,
		};
	});
	const left = run.regions_left_out ?? 0;
	const more = left ? ` ${counted(left, "more is", "more are")} left out.` : "";
	const summary = `${counted(bars.length, "pass", "passes")} through ${counted(used.size, "region", "regions")}` +
		`${known.length ? `, in ${counted(known.length, "thread", "threads")}` : ""}.${more}`;
	return [makeLanes({
		...context, id: "region-lanes", title: "Regions over time", summary, bars, lanes, what: "region",
		labels: known.map(({ thread, first }) => ({ lane: first, text: String(thread) })),
	})];
}
