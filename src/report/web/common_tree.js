// common_tree.js - the trees of programs of several runs, on branches that all have in common.  Pure.
//
// Branches are the same if the names from the first program on are.  What one of the runs may have among its others is
// among the others of all, so in each run a branch and those below it add up: as src/comparison/common_branches.c has it.

const newNode = (name, kind, parent) => ({ name, kind, parent, level: parent ? parent.level + 1 : -1, children: new Map(), others: null, into: null, in: [] });
const useOf = (node, run) => (node.in[run] ??= { processes: null, own: 0, all: 0 });

function childOf(node, kind, name) {
	const key = `${kind} ${name}`;
	if (!node.children.has(key))
		node.children.set(key, newNode(name, kind, node));
	const child = node.children.get(key);
	if (kind === "others")
		node.others = child;
	return child;
}

function addUse(node, run, { processes, own }) {
	const use = useOf(node, run);
	use.processes = processes === null ? use.processes : (use.processes ?? 0) + processes;
	use.own += own;
}

// -> whether the run saw each of its processes, so that what it does not have was not there
function addTree(top, tree, run) {
	const at = new Map(tree.columns.map((name, i) => [name, i]));
	const nodes = [];
	let counts = !tree.full;
	for (const row of tree.branches) {
		const value = (column) => row[at.get(column)] ?? null;
		const [parent, branches] = [value("parent"), value("branches") ?? 1];
		const above = parent === null ? childOf(top, "unknown", "(parent unknown)") : nodes[parent] ?? top;
		if (parent === null)
			useOf(above, run);
		const node = branches > 1 ? childOf(above, "others", "others") : childOf(above, "program", value("program") ?? "(no name)");
		addUse(node, run, { processes: value("processes"), own: value("cpu_seconds") ?? 0 });
		counts &&= value("processes") !== null;
		nodes.push(node);
	}
	return counts;
}

// Each node before those below it.
function nodesBelow(top, order = (children) => children) {
	const [found, left] = [[], order([...top.children.values()]).reverse()];
	while (left.length) {
		const node = left.pop();
		found.push(node);
		left.push(...order([...node.children.values()]).reverse());
	}
	return found;
}

// Finds what is among the others of a run, as a whole; then adds it to those of all.
function fold(nodes, runs) {
	const mayBeMerged = (node, others) => runs.some((_, run) => !node.in[run] && others.in[run]);
	for (const node of nodes)
		node.into = node.parent.into ?? (node.kind !== "others" && node.parent.others && mayBeMerged(node, node.parent.others) ? node.parent.others : null);
	const folded = nodes.filter(({ into }) => into);
	for (const node of folded)
		node.in.forEach((use, run) => addUse(node.into, run, use));
	for (const { parent, kind, name } of folded)
		parent.children.delete(`${kind} ${name}`);
}

function sumUp(nodes, runs) {
	for (const node of [...nodes].reverse())
		runs.forEach((_, run) => {
			const use = node.in[run];
			if (!use)
				return;
			use.all += use.own;
			if (node.parent.in[run])
				node.parent.in[run].all += use.all;
		});
}

// commonTree(trees of records) -> { nodes: each before what it started, the largest first, counts: by run }
// node: { name, kind: "program", "others" or "unknown", level, parent, in: by run { processes or null, own and all: CPU
// seconds, of the branch alone and with those below it }, or undefined where the run does not have it }
export function commonTree(trees) {
	const top = newNode("", "top", null);
	const counts = trees.map((tree, run) => addTree(top, tree, run));
	fold(nodesBelow(top), trees);
	sumUp(nodesBelow(top), trees);
	const weight = ({ in: uses }) => uses.reduce((sum, use) => sum + (use?.all ?? 0), 0);
	return { nodes: nodesBelow(top, (children) => children.sort((a, b) => weight(b) - weight(a))), counts };
}

export function pathOfNode(node) {
	return node.level > 0 ? [...pathOfNode(node.parent), node.name] : [node.name];
}
