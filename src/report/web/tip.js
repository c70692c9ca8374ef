// tip.js - the values at the crosshair, in a box that floats beside it.
import { moment } from "./clock.js";
import { el } from "./element.js";
import { valuesAt } from "./legend.js";
import { quantity } from "./format.js";
import { colour } from "./theme.js";

const MOST_ROWS = 12;
const BESIDE = 14;              // px from the crosshair

function row(line, at) {
	const [mean, most] = valuesAt(line, at);
	const swatch = el("span", { class: "swatch" });
	swatch.style.setProperty("--colour", colour(line.colour));
	const [value, top] = [mean, most].map((one) => quantity(one, line.unit));
	return el("div", {}, swatch, el("span", { class: "label" }, line.label),
		el("span", { class: "value" }, mean === null ? "unknown" : top === value ? value : `${value}, max ${top}`));
}

// makeTip() -> { node, show({ at, left, right, lines, also }), hide() }: left is the crosshair's place in px, right the
// width of the plot; also: a line of text, such as the name of a region.  It repeats what the legend says, so screen
// readers leave it out.
export function makeTip() {
	const node = el("div", { class: "tip", hidden: true, "aria-hidden": "true" });
	return {
		node,
		hide: () => { node.hidden = true; },
		show({ at, left, right, lines, also }) {
			const shown = lines.filter((line) => !line.hidden).slice(0, MOST_ROWS);
			node.replaceChildren(el("strong", {}, moment(at, true)), also ? el("em", {}, also) : "",
				...shown.map((line) => row(line, at)));
			node.hidden = false;
			const width = node.offsetWidth;
			const place = left + BESIDE + width <= right ? left + BESIDE : Math.max(left - BESIDE - width, 0);
			node.style.setProperty("--x", `${place}px`);
		},
	};
}
