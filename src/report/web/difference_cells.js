// difference_cells.js - a value of a run, and how it differs from the baseline's, as cells of a table.
import { el, unseen } from "./element.js";
import { number, quantity } from "./format.js";

const WORDS = { same: "no change that counts", more: "more", less: "less", unknown: "unknown" };

function changeText({ change, verdict }) {
	if (verdict === "same" || verdict === "unknown")
		return verdict === "same" ? "same" : "–";
	return change === null ? "new" : `${change > 0 ? "+" : "−"}${number(Math.abs(100 * change))} %`;
}

const toneOf = ({ verdict }, isCost) =>
	(!isCost || verdict === "same" || verdict === "unknown" ? "neutral" : verdict === "more" ? "worse" : "better");

// one: { value, change, verdict } of differences.js; the baseline has its value alone.  isCost: more of it is worse.
export function differenceCells({ unit, isCost }, one, isBase) {
	const value = el("td", { class: "number" }, quantity(one.value, unit));
	return isBase ? [value] : [value, el("td", { class: `number change ${toneOf(one, isCost)}` }, changeText(one), unseen(` ${WORDS[one.verdict]}`))];
}

// The heads of the columns of each run.
export const runHeads = (runs, base) => runs.map((run, i) =>
	el("th", { scope: "col", class: "number", colspan: i === base ? null : "2" }, run.title, i === base ? el("small", {}, " baseline") : null));

// The columns of each run in a CSV, and the cells of one row in them.
export const csvHeads = (runs, base) => runs.flatMap((run, i) => (i === base ? [run.title] : [run.title, `${run.title} change`]));
export const csvCells = (values, base) => values.flatMap((one, i) => (i === base ? [one.value] : [one.value, one.verdict === "same" ? 0 : one.change]));
