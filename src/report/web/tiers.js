// tiers.js - a long run down to its rows: they are decoded when they are first needed, summed up in tiers, and the part
// that a window shows is taken from the finest tier that does not have more points than a chart has pixels.  Pure.
import { decodeSteps, valueOfSteps } from "./line_code.js";
import { bucketAt, bucketsIn } from "./statistics.js";

const FEWER = 4;                // points of a tier in one of the next
const MOST = 1200;              // points in a window

// The times of each tier, from the rows on; the last tier has at most MOST points.
function timesOf(text, points) {
	const rows = decodeSteps(text, points);
	for (let i = 0, now = 0; i < points; i++) {
		now += rows[i];
		rows[i] = now / 1000;
	}
	const tiers = [rows];
	while (tiers.at(-1).length > MOST) {
		const finer = tiers.at(-1);
		tiers.push(Float64Array.from({ length: Math.ceil(finer.length / FEWER) },
			(_, i) => finer[Math.min((i + 1) * FEWER, finer.length) - 1]));
	}
	return tiers;
}

function rowsOf({ mean, above, floor }, { points, ratio }) {
	const scale = { floor: floor ?? 0, ratio };
	const steps = decodeSteps(mean, points);
	const means = steps.map((one) => valueOfSteps(one, scale));
	if (!above)
		return { mean: means, min: means, max: means };
	const more = decodeSteps(above, points);
	return { mean: means, min: means, max: steps.map((one, i) => valueOfSteps(one + more[i], scale)) };
}

// The next tier: means weighted by time, the least and the most.
function summedUp(finer, finerTimes, points) {
	const [mean, min, max] = [0, 1, 2].map(() => new Float64Array(points).fill(NaN));
	for (let i = 0; i < points; i++) {
		let [sum, weight, least, most] = [0, 0, Infinity, -Infinity];
		for (let k = i * FEWER; k < Math.min((i + 1) * FEWER, finerTimes.length); k++) {
			if (Number.isNaN(finer.mean[k]))
				continue;
			const seconds = Math.max(finerTimes[k] - (k > 0 ? finerTimes[k - 1] : 0), 1e-6);
			sum += finer.mean[k] * seconds;
			weight += seconds;
			least = Math.min(least, finer.min[k]);
			most = Math.max(most, finer.max[k]);
		}
		if (weight > 0)
			[mean[i], min[i], max[i]] = [sum / weight, least, most];
	}
	return { mean, min, max };
}

const slice = (values, [first, last]) => Array.from(values.subarray(first, last + 1), (value) => (Number.isNaN(value) ? null : value));

// Values that are known at the times of a few points only, at other times.
function resampled(values, from, times) {
	return values && times.map((t) => {
		const i = bucketAt(from, t);
		return i < 0 ? values.at(-1) : values[i];
	});
}

// makeTiers(detail of a run) -> { partOf(window), show(line, part) }, or null if the run has no more than its points.
// A line that is to be shown has `coarse`, its values at the run's points, and `rows`, what of(series) returned.
export function makeTiers(detail) {
	if (!detail)
		return null;
	let tiers = null;
	let part = null;
	const times = () => (tiers ??= timesOf(detail.times, detail.points));

	function valuesAt(rows, tier) {
		rows.tiers[0] ??= rowsOf(rows, detail);
		for (let i = rows.tiers.length; i <= tier; i++)
			rows.tiers[i] = summedUp(rows.tiers[i - 1], times()[i - 1], times()[i].length);
		return rows.tiers[tier];
	}

	return {
		// What has the values of a series, if it is there.
		of({ key, label }) {
			const found = detail.lines.find((line) => line.key === key && line.label === label);
			return found ? { ...found, tiers: [] } : null;
		},
		// The same part is the same object, with one point more on each side.
		partOf(window) {
			const ranges = times().map((all) => bucketsIn(all, window));
			const found = ranges.findIndex(([first, last]) => last - first < MOST);
			const tier = found < 0 ? ranges.length - 1 : found;
			const [first, last] = ranges[tier];
			const range = [Math.max(first - 1, 0), Math.min(Math.max(last, first) + 1, times()[tier].length - 1)];
			if (part?.tier !== tier || part.range[0] !== range[0] || part.range[1] !== range[1])
				part = { tier, range, times: slice(times()[tier], range) };
			return part;
		},
		// Gives the line the values of the part.  false: it has them already.
		show(line, shown) {
			if (line.part === shown)
				return false;
			const { coarse, rows } = line;
			const values = rows ? valuesAt(rows, shown.tier) : null;
			const [min, max] = ["min", "max"].map((name) => (values && values[name] !== values.mean ? slice(values[name], shown.range) : undefined));
			Object.assign(line, {
				part: shown, times: shown.times, min, max,
				mean: values ? slice(values.mean, shown.range) : resampled(coarse.mean, coarse.times, shown.times),
				low: resampled(coarse.low, coarse.times, shown.times), high: resampled(coarse.high, coarse.times, shown.times),
			});
			return true;
		},
	};
}

// Draws a line later by so many seconds: nothing is known of the time before.
export function shifted(line, seconds) {
	if (!(seconds > 0))
		return line;
	const later = (values) => values && [null, ...values];
	const { times, mean, min, max, low, high } = line;
	return { ...line, times: [seconds, ...times.map((t) => t + seconds)], mean: later(mean), min: later(min), max: later(max), low: later(low), high: later(high) };
}

// Gives the lines of a chart, of one or several runs, the values of the window.  true: some have changed.  `shift`: a line
// is drawn so much later.
export function showWindow(lines, [from, to]) {
	return lines.filter((line) => {
		const { shift = 0, tiers } = line;
		const isNew = tiers?.show(line, tiers.partOf([from - shift, to - shift]));
		if (isNew)
			Object.assign(line, shifted(line, shift));
		return isNew;
	}).length > 0;
}
