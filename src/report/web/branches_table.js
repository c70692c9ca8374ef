// branches_table.js - which program started which, in several runs beside a baseline.
import { commonTree, pathOfNode } from "./common_tree.js";
import { saveCsv } from "./csv.js";
import { SHORT_LIVED } from "./data.js";
import { csvCells, csvHeads, differenceCells, runHeads } from "./difference_cells.js";
import { changeOf } from "./differences.js";
import { button, el, unseen } from "./element.js";

const TITLE = "Which program started which, beside the baseline";
const FIRST_ROWS = 15;
const LEAST_SECONDS = 0.01;     // of CPU time in no branch
const AS_CPU_TIME = { unit: "s", isCost: true };

const compared = (values, base) => values.map((value) => ({ value, ...changeOf(values[base], value, "s") }));

// Each branch, then what is in none, and the job: { name, level, path, values: as in differences.js }
function rowsOf(runs, base) {
	const { nodes, counts } = commonTree(runs.map((run) => run.program_tree));
	const secondsOf = (node, run) => node.in[run]?.all ?? (counts[run] ? 0 : null);
	const job = runs.map((run) => run.quantities?.cpu_time?.job ?? null);
	const inBranches = (run) => nodes.reduce((sum, node) => sum + (node.level ? 0 : node.in[run]?.all ?? 0), 0);
	const rest = job.map((seconds, run) => (seconds === null ? null : seconds - inBranches(run)));
	return [
		...nodes.map((node) => ({ name: node.name, level: node.level, path: pathOfNode(node), values: compared(runs.map((_, run) => secondsOf(node, run)), base) })),
		...(rest.some((seconds) => Math.abs(seconds) >= LEAST_SECONDS) ? [{ name: SHORT_LIVED, level: 0, path: [SHORT_LIVED], values: compared(rest, base) }] : []),
		{ name: "The job", level: 0, path: [], values: compared(job, base) },
	];
}

function rowNode({ name, level, values }, base) {
	const head = el("th", { class: "text branch", scope: "row" }, unseen(`level ${level + 1}: `), name);
	head.style.setProperty("--depth", Math.min(level, 12));
	return el("tr", {}, head, ...values.flatMap((one, i) => differenceCells(AS_CPU_TIME, one, i === base)));
}

// -> an element, or null if a run does not contain which program started which
export function branchesTable(runs, base) {
	if (!runs.every((run) => run.program_tree?.branches.length))
		return null;
	const rows = rowsOf(runs, base);
	const [branches, last] = [rows.slice(0, -1), rows.at(-1)];
	const isLong = branches.length > FIRST_ROWS + 3;
	const body = el("tbody");
	const fill = (shown) => body.replaceChildren(...[...shown, last].map((row) => rowNode(row, base)));
	fill(isLong ? branches.slice(0, FIRST_ROWS) : branches);
	const more = isLong ? button(`Show all ${rows.length} rows`, () => {
		fill(branches);
		more.remove();
	}, { class: "quiet more" }) : null;
	const save = () => saveCsv("branches", ["path", "level", ...csvHeads(runs, base)],
		rows.map(({ path, level, values }) => [path.join("/"), level, ...csvCells(values, base)]));
	return el("div", { class: "table branches" },
		el("div", { class: "table-bar" }, el("h3", {}, TITLE), el("span", { class: "actions" },
			button("CSV", save, { class: "quiet", "aria-label": `Save ${TITLE} as CSV` }))),
		el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": `Table: ${TITLE}` }, el("table", { class: "data" },
			el("caption", { class: "unseen" }, `CPU time of each program with all that it started, beside that of ${runs[base].title}`),
			el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "text" }, "CPU time with what it started"), ...runHeads(runs, base))), body)),
		more,
		el("p", { class: "hint" }, "A program and those that it started, indented below it, add up to the CPU time of the job. A dash: the run could not " +
			"count its processes, so what no sample saw may have been there."));
}
