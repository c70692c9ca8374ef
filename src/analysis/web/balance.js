// balance.js - how evenly a quantity lies on several runs, such as the ranks of one job.  Pure.
import { linesOf } from "./data.js";
import { statistics } from "./statistics.js";

// One number for a line of a run: what a rate was on average, how high a level rose.
export function judged(line, window) {
	const { mean, highest } = statistics(line, window);
	return line.average ? mean : highest;
}

// values: one for each run, null where not known -> { lowest, mean, highest, ratio, at } or null; `at` is the
// index of the highest, ratio how many times the mean it is: 1 is even, and the number of runs is one doing all.
export function balance(values) {
	const known = values.filter((value) => value !== null && value !== undefined);
	if (known.length < 2)
		return null;
	const mean = known.reduce((sum, value) => sum + value, 0) / known.length;
	const highest = Math.max(...known);
	return {
		lowest: Math.min(...known), mean, highest, ratio: mean > 0 ? highest / mean : null, at: values.indexOf(highest),
	};
}

// The quantities that two or more of the runs have: [{ chart, key, label, unit, average, values }].
export function sharedQuantities(runs, charts, window) {
	const found = new Map();
	runs.forEach((run, i) => {
		for (const { chart, title } of charts)
			for (const line of linesOf(run, chart).filter((one) => one.style !== "limit")) {
				const id = `${chart} ${line.key}`;
				if (!found.has(id))
					found.set(id, {
						chart, title, key: line.key, label: line.label, unit: line.unit, average: line.average, owner: line.owner,
						values: runs.map(() => null),
					});
				found.get(id).values[i] = judged(line, window);
			}
	});
	return [...found.values()];
}
