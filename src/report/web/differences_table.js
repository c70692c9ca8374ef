// differences_table.js - what changed between runs, as a table with a baseline that can be chosen.
import { branchesTable } from "./branches_table.js";
import { saveCsv } from "./csv.js";
import { csvCells, csvHeads, differenceCells, runHeads } from "./difference_cells.js";
import { differencesOf } from "./differences.js";
import { button, el } from "./element.js";

const basisNote = (basis) => (basis === "job" || basis === "run" ? "" : ` (${basis})`);

function tableOf(runs, base) {
	const rows = differencesOf(runs, base);
	if (!rows.length)
		return el("p", { class: "absent" }, "No quantity is known of this run and another one on the same basis.");
	const save = () => saveCsv("differences", ["quantity", "unit", ...csvHeads(runs, base)],
		rows.map((row) => [row.name, row.unit, ...csvCells(row.values, base)]));
	return el("div", { class: "table differences" },
		el("div", { class: "table-bar" }, el("h3", {}, "Beside the baseline"), el("span", { class: "actions" },
			button("CSV", save, { class: "quiet", "aria-label": "Save the differences as CSV" }))),
		el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": "Table: Beside the baseline" }, el("table", { class: "data" },
			el("caption", { class: "unseen" }, `Each quantity beside that of ${runs[base].title}`),
			el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "text" }, "Quantity"), ...runHeads(runs, base))),
			el("tbody", {}, ...rows.map((row) => el("tr", {}, el("th", { scope: "row", class: "text" }, row.label + basisNote(row.basis)),
				...row.values.flatMap((one, i) => differenceCells(row, one, i === base))))))),
		el("p", { class: "hint" }, "Each side is one run, so how much of a change is chance is not known: what is smaller than 2 %, 4 MiB, 0.05 s or " +
			"0.05 cores counts as the same. Several runs on each side are judged by resource-tracker compare BASE... vs NEW..."));
}

// differencesPart(runs, choice: as in runs_view.js) -> an element
export function differencesPart(runs, choice) {
	const holder = el("div");
	const show = (base) => holder.replaceChildren(...[tableOf(runs, Number(base)), branchesTable(runs, Number(base))].filter(Boolean));
	show(0);
	return el("div", {}, choice("Baseline", "baseline", runs.map((run, i) => ({ value: String(i), label: run.title })), "0", show), holder);
}
