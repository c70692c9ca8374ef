// differences_table.js - what changed between runs, as a table with a baseline that can be chosen.
import { differencesOf } from "./differences.js";
import { saveCsv } from "./csv.js";
import { button, el, unseen } from "./element.js";
import { number, quantity } from "./format.js";

const WORDS = { same: "no change that counts", more: "more", less: "less", unknown: "unknown" };
const basisNote = (basis) => (basis === "job" || basis === "run" ? "" : ` (${basis})`);

function changeText({ change, verdict }) {
	if (verdict === "same" || verdict === "unknown")
		return verdict === "same" ? "same" : "–";
	return change === null ? "new" : `${change > 0 ? "+" : "−"}${number(Math.abs(100 * change))} %`;
}

// The cells of a run: its value, and how it differs from the baseline's.
function cells({ unit, isCost }, one, isBase) {
	const value = el("td", { class: "number" }, quantity(one.value, unit));
	if (isBase)
		return [value];
	const tone = !isCost || one.verdict === "same" || one.verdict === "unknown" ? "neutral" : one.verdict === "more" ? "worse" : "better";
	return [value, el("td", { class: `number change ${tone}` }, changeText(one), unseen(` ${WORDS[one.verdict]}`))];
}

function tableOf(runs, base) {
	const rows = differencesOf(runs, base);
	if (!rows.length)
		return el("p", { class: "absent" }, "No quantity is known of this run and another one on the same basis.");
	const save = () => saveCsv("differences", ["quantity", "unit", ...runs.flatMap((run, i) => (i === base ? [run.title] : [run.title, `${run.title} change`]))],
		rows.map((row) => [row.name, row.unit, ...row.values.flatMap((one, i) => (i === base ? [one.value] : [one.value, one.verdict === "same" ? 0 : one.change]))]));
	return el("div", { class: "table differences" },
		el("div", { class: "table-bar" }, el("h3", {}, "Beside the baseline"), el("span", { class: "actions" },
			button("CSV", save, { class: "quiet", "aria-label": "Save the differences as CSV" }))),
		el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": "Table: Beside the baseline" }, el("table", { class: "data" },
			el("caption", { class: "unseen" }, `Each quantity beside that of ${runs[base].title}`),
			el("thead", {}, el("tr", {}, el("th", { scope: "col", class: "text" }, "Quantity"), ...runs.map((run, i) =>
				el("th", { scope: "col", class: "number", colspan: i === base ? null : "2" }, run.title, i === base ? el("small", {}, " baseline") : null)))),
			el("tbody", {}, ...rows.map((row) => el("tr", {}, el("th", { scope: "row", class: "text" }, row.label + basisNote(row.basis)),
				...row.values.flatMap((one, i) => cells(row, one, i === base))))))),
		el("p", { class: "hint" }, "Each side is one run, so how much of a change is chance is not known: what is smaller than 2 %, 4 MiB, 0.05 s or " +
			"0.05 cores counts as the same. Several runs on each side are judged by resource-tracker compare BASE... vs NEW..."));
}

// differencesPart(runs, choice: as in runs_view.js) -> an element
export function differencesPart(runs, choice) {
	const holder = el("div");
	const show = (base) => holder.replaceChildren(tableOf(runs, Number(base)));
	show(0);
	return el("div", {}, choice("Baseline", "baseline", runs.map((run, i) => ({ value: String(i), label: run.title })), "0", show), holder);
}
