// shares.js - the programs of a run as two bars: their parts of the CPU time, and of the memory that they had at their peaks.
import { programColour, SHORT_LIVED } from "./data.js";
import { el } from "./element.js";
import { quantity } from "./format.js";
import { sharesOf } from "./statistics.js";
import { colourOf } from "./theme.js";

function bar(label, values, unit, nameOf) {
	const parts = sharesOf(values).map(({ name, value, share }) => {
		const words = `${name}: ${quantity(value, unit)}, ${quantity(share, "share")}`;
		const node = el("li", { title: words }, el("span", {}, name), el("span", { class: "unseen" }, words.slice(name.length)));
		node.style.setProperty("--colour", colourOf(nameOf(name)));
		node.style.setProperty("--part", share);
		return node;
	});
	return parts.length > 1 ? el("div", { class: "shares-row" }, el("h3", {}, label), el("ul", {}, ...parts)) : null;
}

// -> an element, or null if there are no two programs to compare
export function programShares(run) {
	const programs = run.programs ?? [];
	const shortLived = { name: SHORT_LIVED, value: run.short_lived_cpu_seconds ?? 0 };
	const nameOf = (name) => programColour(run, name, name === SHORT_LIVED ? programs.length : undefined);
	const rows = [
		bar("CPU time", [...programs.map(({ name, cpu_seconds: value }) => ({ name, value })), shortLived], "s", nameOf),
		bar(`Peak memory (${run.program_memory_basis})`, programs.map(({ name, peak_bytes: value }) => ({ name, value })), "B", nameOf),
	].filter(Boolean);
	return rows.length ? el("div", { class: "shares" }, ...rows) : null;
}
