// legend.js - the names of a chart's lines, switches for them, and their values: at the crosshair, else over the
// visible part.
import { moment, onClockChange } from "./clock.js";
import { el, unseen } from "./element.js";
import { shortQuantity } from "./format.js";
import { bucketAt, statistics } from "./statistics.js";
import { colourOf } from "./theme.js";

function swatch(line) {
	const node = el("span", { class: line.dash ? "swatch dashed" : "swatch", "aria-hidden": "true" });
	node.style.setProperty("--colour", colourOf(line.colour));
	return node;
}

// The values of a line in the bucket at the crosshair: [mean, most], each null if unknown.
export function valuesAt(line, at) {
	const i = bucketAt(line.times, at);
	const mean = i < 0 ? null : line.mean[i] ?? null;
	return [mean, i < 0 ? null : line.max?.[i] ?? mean];
}

function valuesOver(line, window) {
	const { mean, highest } = statistics(line, window);
	return [mean, highest];
}

// "1.2, max 3.4" of a line; a limit has one value.
function words(line, [mean, most]) {
	const [value, top] = [mean, most].map((one) => shortQuantity(one, line.unit));
	return line.style === "limit" ? top : value === top ? value : `${value}, max ${top}`;
}

// makeLegend({ lines, timeline, onToggle(i, on), caption }) -> { node, update(), forget(), text(), release() }
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
		const value = el("span", { class: "value" });
		return { node: el("li", {}, name, value), value };
	});
	const scope = el("span", { class: "scope" });
	const node = el("div", { class: "legend" }, unseen(`${caption}, mean and highest values, `), scope,
		el("ul", {}, ...rows.map((row) => row.node)));
	let shown = null;

	function update() {
		const { window, cursor } = timeline;
		const now = cursor ?? window;
		if (now === shown)
			return;
		shown = now;
		scope.textContent = cursor !== null ? `at ${moment(cursor, true)}` : timeline.isWhole ? "whole run" : "part shown";
		rows.forEach(({ value }, i) => {
			const text = words(lines[i], cursor !== null ? valuesAt(lines[i], cursor) : valuesOver(lines[i], window));
			if (value.textContent !== text)
				value.textContent = text;
		});
	}
	const release = onClockChange(() => {
		shown = null;
		update();
	});

	return {
		node, update, release,
		forget: () => { shown = null; },        // the lines have other values
		text: () => lines.filter((line) => !line.hidden).map((line) => {
			const [mean, most] = valuesAt(line, timeline.cursor ?? timeline.window[0]);
			const [value, top] = [mean, most].map((one) => shortQuantity(one, line.unit));
			const upTo = top === value ? "" : `, up to ${top}`;
			return `${line.label} ${mean === null ? "unknown" : value}${upTo}`;
		}).join("; "),
	};
}
