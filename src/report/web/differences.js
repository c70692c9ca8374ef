// differences.js - what changed between runs: each quantity beside that of a baseline.  Pure.
import { onOneBasis } from "./balance.js";

// The quantities of src/core/quantities.def that are compared.  isCost: more of it is worse.
const QUANTITIES = [
	["duration", "Duration", "s", true], ["cpu_time", "CPU time", "s", true], ["mean_cpu", "CPU on average", "cores", false],
	["peak_memory", "Peak memory", "B", true], ["mean_memory", "Memory on average", "B", true], ["peak_processes", "Most processes", "count", false],
	["disk_read", "Read from disks", "B", true], ["disk_written", "Written to disks", "B", true],
	["mean_gpu", "GPUs on average", "GPUs", false], ["peak_gpu_memory", "Peak GPU memory", "B", true],
].map(([name, label, unit, isCost]) => ({ name, label, unit, isCost }));

// A smaller change says nothing: as `resource-tracker compare` has it.
const SMALLEST = { s: 0.05, cores: 0.05, B: 4 * 2 ** 20, count: 1, GPUs: 0.05 };
const LEAST_SHARE = 0.02;

// -> { change: a share of the baseline's or null, verdict: "same", "more", "less" or "unknown" }
export function changeOf(base, value, unit) {
	if (base === null || value === null)
		return { change: null, verdict: "unknown" };
	const change = base === 0 ? null : (value - base) / Math.abs(base);
	const isSame = Math.abs(value - base) <= SMALLEST[unit] || (change !== null && Math.abs(change) < LEAST_SHARE);
	return { change, verdict: isSame ? "same" : value > base ? "more" : "less" };
}

// -> [{ name, label, unit, isCost, basis, values: for each run { value, change, verdict } }], for quantities that the baseline and another run know on one basis, and that are
// not next to nothing in all of them.
export function differencesOf(runs, base) {
	return QUANTITIES.flatMap((one) => {
		const found = onOneBasis(runs, one.name);
		const known = (found?.values ?? []).filter((value) => value !== null);
		if (known.length < 2 || found.values[base] === null || Math.max(...known) <= SMALLEST[one.unit])
			return [];
		const of = found.values[base];
		return [{ ...one, basis: found.basis, values: found.values.map((value) => ({ value, ...changeOf(of, value, one.unit) })) }];
	});
}

// The moments at which runs can be aligned: [{ name, begins: for each run the first begin }], the regions that all have.
export function sharedRegions(runs) {
	const begins = runs.map((run) => {
		const first = new Map();
		for (const { path, start } of run.regions ?? [])
			first.set(path, Math.min(first.get(path) ?? Infinity, start));
		return first;
	});
	return [...begins[0].keys()].filter((path) => begins.every((one) => one.has(path)))
		.map((path) => ({ name: path, begins: begins.map((one) => one.get(path)) }));
}

// How much later each run is drawn, so that these moments are at one place.
export const shiftsOf = (begins) => begins.map((begin) => Math.max(...begins) - begin);
