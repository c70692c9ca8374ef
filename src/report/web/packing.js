// packing.js - assigns lanes to bars, so that no two overlap.  Pure.

// Packs bars { start, end } into as few lanes as possible: each goes into the first lane that is free.  -> the lane
// of each bar, in the order of `bars`; the number of lanes is in `lanes`.
export function pack(bars) {
	const order = bars.map((_, i) => i).sort((a, b) => bars[a].start - bars[b].start || bars[b].end - bars[a].end);
	const freeAt = [];
	const lane = new Array(bars.length).fill(0);
	for (const i of order) {
		let free = freeAt.findIndex((end) => end <= bars[i].start);
		if (free < 0)
			free = freeAt.length;
		freeAt[free] = bars[i].end;
		lane[i] = free;
	}
	return { lane, lanes: freeAt.length };
}

// Bars { name, start, end }: names below each other in the order of `names`, each with as many lanes as it needs.  -> { lane,
// lanes, groups: [{ name, first }] }, first being the name's topmost lane.
export function packByName(bars, names) {
	const order = [...new Set([...names, ...bars.map(({ name }) => name)])];
	const lane = new Array(bars.length).fill(0);
	const groups = [];
	let lanes = 0;
	for (const name of order) {
		const own = bars.map((_, i) => i).filter((i) => bars[i].name === name);
		if (!own.length)
			continue;
		const packed = pack(own.map((i) => bars[i]));
		groups.push({ name, first: lanes });
		own.forEach((i, k) => { lane[i] = lanes + packed.lane[k]; });
		lanes += packed.lanes;
	}
	return { lane, lanes, groups };
}

// Nested bars { thread, depth, start, end }: threads below each other, each with a lane for each depth.  -> { lane,
// lanes, threads: [{ thread, first }] }, first being the thread's topmost lane.
export function nest(bars) {
	const depths = new Map();
	for (const { thread, depth } of bars)
		depths.set(thread, Math.max(depths.get(thread) ?? 0, depth + 1));
	const threads = [];
	const firstOf = new Map();
	let lanes = 0;
	for (const [thread, deep] of depths) {
		threads.push({ thread, first: lanes });
		firstOf.set(thread, lanes);
		lanes += deep;
	}
	return { lane: bars.map(({ thread, depth }) => firstOf.get(thread) + depth), lanes, threads };
}
