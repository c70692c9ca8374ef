// statistics.js - the statistics of a line in a window of time.  Pure.

// The bucket that contains a moment: the first that ends at it or later; -1 after the last.
export function bucketAt(times, at) {
	let [low, high] = [0, times.length];
	while (low < high) {
		const middle = (low + high) >> 1;
		if (times[middle] < at)
			low = middle + 1;
		else
			high = middle;
	}
	return low < times.length ? low : -1;
}

// The buckets [first, last] that overlap the window; last < first if there are none.
export function bucketsIn(times, [from, to]) {
	let first = bucketAt(times, from);
	if (first < 0)
		return [0, -1];
	if (first + 1 < times.length && times[first] === from)
		first++;        // it ends where the window begins
	const last = bucketAt(times, to);
	return [first, last < 0 ? times.length - 1 : last];
}

// The mean weighted by time, and the most with its moment.  line: { times, mean, max? }.  All null if nothing is
// known.
export function statistics(line, window) {
	const { times, mean } = line;
	const [first, last] = bucketsIn(times, window);
	let [sum, weight, highest, highestAt] = [0, 0, null, null];
	for (let i = first; i <= last; i++) {
		if (mean[i] === null || mean[i] === undefined)
			continue;
		const begin = Math.max(i > 0 ? times[i - 1] : 0, window[0]);
		const seconds = Math.max(Math.min(times[i], window[1]) - begin, 0);
		sum += mean[i] * seconds;
		weight += seconds;
		const high = line.max?.[i] ?? mean[i];
		if (highest === null || high > highest)
			[highest, highestAt] = [high, times[i]];
	}
	if (highest === null)
		return { mean: null, highest: null, highestAt: null };
	return { mean: weight > 0 ? sum / weight : highest, highest, highestAt };
}

// The highest value of a line, bounds included; 0 if nothing is known.
export function topOf(line, window) {
	const [first, last] = bucketsIn(line.times, window);
	let top = 0;
	for (const values of [line.mean, line.max, line.high])
		if (values)
			for (let i = first; i <= last; i++)
				if (values[i] > top)
					top = values[i];
	return top;
}

// Stacks lines: [{ low, high }] for each, as arrays over the buckets.  An unknown value adds nothing; a bucket
// without any known value stays empty.
export function stack(lines) {
	const buckets = lines[0]?.mean.length ?? 0;
	const known = Array.from({ length: buckets }, (_, i) => lines.some((line) => (line.mean[i] ?? null) !== null));
	let below = known.map((any) => (any ? 0 : null));
	return lines.map((line) => {
		const low = below;
		const high = low.map((value, i) => (value === null ? null : value + (line.mean[i] ?? 0)));
		below = high;
		return { low, high };
	});
}

const LEAST = 0.004;            // of a whole: a smaller part would not be seen

// [{ name, value }] -> those with a part of LEAST or more: [{ name, value, share }], the largest first.
export function sharesOf(values) {
	const known = values.filter(({ value }) => value > 0);
	const whole = known.reduce((sum, { value }) => sum + value, 0);
	return known.map((one) => ({ ...one, share: one.value / whole })).filter(({ share }) => share >= LEAST)
		.sort((a, b) => b.share - a.share);
}
