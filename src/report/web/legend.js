// legend.js - the names of a chart's lines, switches for them, and their values: at the crosshair, else over the
// visible part.
import { el, unseen } from "./element.js";
import { moment, shortQuantity } from "./format.js";
import { bucketAt, statistics } from "./statistics.js";
import { colour, onThemeChange } from "./theme.js";

function swatch(line) {
	const node = el("span", { class: line.dash ? "swatch dashed" : "swatch", "aria-hidden": "true" });
	const paint = () => node.style.setProperty("--colour", colour(line.colour));
	onThemeChange(paint);
	paint();
	return node;
}

// The values of a line in the bucket at the crosshair: [mean, most], each null if unknown.
function valuesAt(line, at) {
	const i = bucketAt(line.times, at);
	const mean = i < 0 ? null : line.mean[i] ?? null;
	return [mean, i < 0 ? null : line.max?.[i] ?? mean];
}

function valuesOver(line, window) {
	const { mean, highest } = statistics(line, window);
	return [mean, highest];
}

// makeLegend({ lines, timeline, onToggle(i, on), caption }) -> { node, update(), text() }
// A line with `hidden` is off at first.  text() returns the values at the crosshair in words.
export function makeLegend({ lines, timeline, onToggle, caption }) {
	const rows = lines.map((line, i) => {
		const name = el("button", { type: "button", class: "name", "aria-pressed": String(!line.hidden) },
			swatch(line), el("span", { class: "label" }, line.label));
		name.addEventListener("click", () => {
			line.hidden = !line.hidden;
			name.setAttribute("aria-pressed", String(!line.hidden));
			onToggle(i, !line.hidden);
		});
		const cells = [0, 1].map(() => el("td"));
		return { node: el("tr", {}, el("th", { scope: "row" }, name), ...cells), cells };
	});
	const scope = el("span", { class: "scope" });
	const node = el("table", { class: "legend" },
		el("caption", { class: "unseen" }, `${caption}: lines and their values`),
		el("thead", {}, el("tr", {}, el("th", { scope: "col" }, unseen("line, "), scope),
			...["mean", "max"].map((word) => el("th", { scope: "col" }, word)))),
		el("tbody", {}, ...rows.map((row) => row.node)));
	let shown = null;

	function update() {
		const { window, cursor } = timeline;
		const now = cursor ?? window;
		if (now === shown)
			return;
		shown = now;
		scope.textContent = cursor !== null ? `at ${moment(cursor)}` : timeline.isWhole ? "whole run" : "part shown";
		rows.forEach(({ cells }, i) => {
			const line = lines[i];
			const values = cursor !== null ? valuesAt(line, cursor) : valuesOver(line, window);
			values.forEach((value, k) => {
				const said = line.style === "limit" && k === 0 ? "" : shortQuantity(value, line.unit);
				if (cells[k].textContent !== said)
					cells[k].textContent = said;
			});
		});
	}

	return {
		node, update,
		text: () => lines.filter((line) => !line.hidden).map((line) => {
			const [mean, most] = valuesAt(line, timeline.cursor ?? timeline.window[0]);
			const [value, top] = [mean, most].map((one) => shortQuantity(one, line.unit));
			const upTo = top === value ? "" : `, up to ${top}`;
			return `${line.label} ${mean === null ? "unknown" : value}${upTo}`;
		}).join("; "),
	};
}
