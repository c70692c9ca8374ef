// balance.js - how evenly a quantity is distributed over several runs, such as the ranks of one job.  Pure.
import { linesOf } from "./data.js";
import { statistics } from "./statistics.js";

// One number for a line of a run: the mean of a rate, the maximum of a level.
export function judged(line, window) {
	const { mean, highest } = statistics(line, window);
	return line.average ? mean : highest;
}

const AT_ONCE = 0.5;            // of the shortest run's duration

// Runs that ran at the same time, such as the ranks of a job: how evenly they shared the work is a question only then.
export function ranAtOnce(runs) {
	const starts = runs.map((run) => run.started_at ?? null);
	const shortest = Math.min(...runs.map((run) => run.duration_seconds ?? 0));
	return starts.every((start) => start !== null) && Math.max(...starts) - Math.min(...starts) <= AT_ONCE * shortest;
}

// values: one for each run, null if unknown -> { lowest, mean, highest, ratio, at } or null; `at` is the index of the
// highest; ratio is the highest divided by the mean: 1 is even, and the number of runs means that one does all the
// work.
export function balance(values) {
	const known = values.filter((value) => value !== null && value !== undefined);
	if (known.length < 2)
		return null;
	const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
	const highest = Math.max(...known);
	return {
		lowest: Math.min(...known), mean, highest, ratio: mean > 0 ? highest / mean : null,
		at: values.indexOf(highest),
	};
}

// The bases of a value, best first.
const BASES = ["run", "PSS", "RSS", "threads", "job", "machine"];

// One of the quantities of runs, on the best basis that all runs with this quantity have -> { basis, values }, a
// value for each run, or null: values on two bases cannot be compared.
export function onOneBasis(runs, name) {
	const known = runs.map((run) => run.quantities?.[name]).filter(Boolean);
	const basis = BASES.find((one) => known.length > 0 && known.every((values) => one in values));
	return basis ? { basis, values: runs.map((run) => run.quantities?.[name]?.[basis] ?? null) } : null;
}

// The quantities that any run has: [{ chart, title, key, label, unit, average, owner, values }], a value for each
// run.
export function quantitiesOf(runs, charts, window) {
	const found = new Map();
	for (const { chart, title } of charts)
		runs.forEach((run, i) => {
			for (const line of linesOf(run, chart).filter((one) => one.style !== "limit")) {
				const id = `${chart} ${line.key}`;
				const { key, label, unit, average, owner } = found.get(id) ?? line;
				const values = found.get(id)?.values ?? runs.map(() => null);
				values[i] = judged(line, window);
				found.set(id, { chart, title, key, label, unit, average, owner, values });
			}
		});
	return [...found.values()];
}
