// program_tree.js - which program started which: the branches of a record as nodes, and their boxes in a flame graph.
// Pure.

const LEAST = 0.0004;           // of the width: a smaller box would not be seen

// What the width of a box can be.
export const MEASURES = [
	{ name: "cpu", column: "cpu_seconds", label: "CPU time", unit: "s" },
	{ name: "processes", column: "processes", label: "Processes", unit: "count" },
	{ name: "memory", column: "peak_rss_bytes", label: "Largest process", unit: "B" },
];

const known = (value) => (typeof value === "number" && value >= 0 ? value : null);
const plus = (a, b) => (a === null ? b : b === null ? a : a + b);
const ofEach = (value) => Object.fromEntries(MEASURES.map((measure) => [measure.name, value(measure)]));

function nodeOf(row, at, parent) {
	const branches = known(row[at.get("branches")]) ?? 1;
	const node = {
		name: row[at.get("program")] ?? (branches > 1 ? `others (${branches} branches)` : "(no name)"), branches, parent,
		level: parent ? parent.level + 1 : 0, children: [], own: ofEach(({ column }) => known(row[at.get(column)])),
	};
	parent?.children.push(node);
	return node;
}

// -> { tops: the nodes that no other started, all: every node, each after its parent, below it, the largest first }
// node: { name, branches, parent or null, level, children, own: by measure, all: with all below it }; null: unknown.
export function treeOf(tree) {
	const { columns = [], branches = [] } = tree ?? {};
	const at = new Map(columns.map((name, i) => [name, i]));
	const unknown = nodeOf(["(parent unknown)"], new Map([["program", 0]]), null);
	const nodes = [];
	for (const row of branches) {
		const place = row[at.get("parent")] ?? null;
		nodes.push(nodeOf(row, at, place === null ? unknown : nodes[place] ?? null));
	}
	const tops = [...nodes.filter(({ parent }) => !parent), ...(unknown.children.length ? [unknown] : [])];
	for (const node of [unknown, ...nodes])
		node.all = { ...node.own };
	for (const node of [...nodes].reverse())
		for (const { name } of MEASURES)
			if (node.parent)
				node.parent.all[name] = plus(node.parent.all[name], node.all[name]);
	return { tops, all: below(tops, "cpu") };
}

export const largestFirst = (nodes, measure) => [...nodes].sort((a, b) => (b.all[measure] ?? 0) - (a.all[measure] ?? 0));

// The nodes and all below them, each followed by what it started.
function below(nodes, measure) {
	const found = [];
	const left = largestFirst(nodes, measure).reverse();
	while (left.length) {
		const node = left.pop();
		found.push(node);
		left.push(...largestFirst(node.children, measure).reverse());
	}
	return found;
}

// The programs from the first to this one.
export function pathOf(node) {
	const path = [];
	for (let one = node; one; one = one.parent)
		path.unshift(one);
	return path;
}

// The boxes of a flame graph: { node, left, width, level } in parts of its width; a parent comes before what it started,
// which is below it.  focus: a node that is as wide as all, as is what started it; null: none.
export function boxesOf({ tops }, measure, focus = null) {
	const boxes = pathOf(focus).map((node, level) => ({ node, left: 0, width: 1, level }));
	const whole = focus ? focus.all[measure] : tops.reduce((sum, node) => sum + (node.all[measure] ?? 0), 0);
	const left = [];
	const spread = (nodes, from, level) => {
		let at = from;
		const row = largestFirst(nodes, measure).map((node) => {
			const width = whole > 0 ? (node.all[measure] ?? 0) / whole : 0;
			const box = { node, left: at, width, level };
			at += width;
			return box;
		});
		left.push(...row.filter(({ width }) => width >= LEAST).reverse());
	};
	spread(focus ? focus.children : tops, 0, boxes.length);
	while (left.length) {
		const box = left.pop();
		boxes.push(box);
		spread(box.node.children, box.left, box.level + 1);
	}
	return boxes;
}
