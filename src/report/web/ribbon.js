// ribbon.js - the overview of a run: its whole length with the visible part as a slider, and below it what happened in
// the visible part, as bands and marks that zoom to themselves when pressed.
import { moment, onClockChange } from "./clock.js";
import { button, el } from "./element.js";
import { counted, duration } from "./format.js";
import { bindOverview } from "./gestures.js";
import { topOf } from "./statistics.js";
import { colourOf } from "./theme.js";

const FEW = 0.004;              // of the visible part: a narrower band has no name and no place in the order of Tab
const OVERVIEW = 30;            // px
const DESCRIBED_AFTER_MS = 150; // of a window that stands still

// The curve of the whole run as a polygon, for clip-path: "polygon(0% 100%, ...)".
function outline(line, end) {
	const top = topOf(line, [0, end]) || 1;
	const percent = (x, y) => `${((100 * x) / end).toFixed(2)}% ${(100 * (1 - y / top)).toFixed(1)}%`;
	const points = line.times.flatMap((t, i) => [percent(line.times[i - 1] ?? 0, line.max?.[i] ?? line.mean[i] ?? 0),
		percent(t, line.max?.[i] ?? line.mean[i] ?? 0)]);
	return `polygon(0% 100%, ${points.join(", ")}, ${((100 * line.times.at(-1)) / end).toFixed(2)}% 100%)`;
}

function overview(line, timeline) {
	const curve = el("span", { class: "curve" });
	if (line)
		curve.style.setProperty("clip-path", outline(line, timeline.end));
	const handle = el("span", { class: "handle" });
	const node = el("div", { class: "overview", "aria-hidden": "true", title: "Drag to choose a part of the run" }, curve, handle);
	node.style.setProperty("--height", `${OVERVIEW}px`);
	bindOverview(node, timeline);
	return {
		node,
		update() {
			const [from, to] = timeline.window.map((t) => t / timeline.end);
			handle.hidden = timeline.isWhole;
			handle.style.setProperty("--from", from);
			handle.style.setProperty("--part", to - from);
		},
	};
}

function bandButton(band, timeline) {
	const words = () => `${band.text}, ${moment(band.start)} – ${moment(band.end)} (${duration(band.end - band.start)})`;
	const node = button(el("span", {}, band.name), () => timeline.setWindow(band.start, band.end), { class: "band" });
	return { band, node, words };
}

function markButton(mark, timeline) {
	const words = () => `${mark.text}, at ${moment(mark.at)}`;
	const node = button("", () => {
		const [from, to] = timeline.window;
		timeline.setCursor(mark.at);
		timeline.setWindow(mark.at - (to - from) / 8, mark.at + (to - from) / 8);
	}, { class: "moment" });
	return { band: { start: mark.at, end: mark.at, colour: mark.colour }, node, words, isMark: true };
}

// The place of a part in the window: this is all that changes in each frame.
function place({ band, node }, [from, to]) {
	const span = to - from;
	const [left, right] = [Math.max(band.start, from), Math.min(band.end, to)];
	if (node.hidden !== right < left)
		node.hidden = right < left;
	if (node.hidden)
		return;
	node.style.setProperty("--left", ((left - from) / span).toFixed(5));
	node.style.setProperty("--width", ((right - left) / span).toFixed(5));
}

// Its words, its colour, and whether the keyboard comes to it.
function describe({ band, node, words, isMark }, [from, to]) {
	node.style.setProperty("--colour", colourOf(band.colour));
	const shown = Math.min(band.end, to) - Math.max(band.start, from);
	node.tabIndex = isMark || shown / (to - from) > FEW ? 0 : -1;
	node.title = words();
	node.setAttribute("aria-label", `Zoom to ${words()}`);
}

// makeRibbon({ bands, line: for the overview or undefined, timeline }) -> { node, destroy() }
export function makeRibbon({ bands, line, timeline }) {
	const strip = overview(line, timeline);
	const lanes = bands.lanes.map((lane) => ({ ...lane, parts: lane.bands.map((band) => bandButton(band, timeline)) }));
	const marks = bands.marks.map((mark) => markButton(mark, timeline));
	const row = (name, parts, kind) => el("div", { class: `lane ${kind}`, role: "group", "aria-label": name || "inner regions" },
		el("span", { class: "lane-name", "aria-hidden": "true" }, name),
		el("div", { class: "lane-bands" }, ...parts.map(({ node }) => node)));
	const all = [...lanes.flatMap(({ parts }) => parts), ...marks];
	let [placed, still] = [null, null];
	const describeAll = () => all.forEach((part) => describe(part, timeline.window));
	function follow() {
		if (placed === timeline.window)
			return;
		placed = timeline.window;
		strip.update();
		all.forEach((part) => place(part, placed));
		clearTimeout(still);
		still = setTimeout(describeAll, DESCRIBED_AFTER_MS);
	}
	const stop = timeline.listen(follow);
	const release = onClockChange(describeAll);
	follow();
	describeAll();
	const node = el("section", { class: "ribbon", id: "ribbon", "aria-label": "What happened when" },
		el("p", { class: "unseen" }, `${counted(all.length, "band or mark", "bands and marks")} over the time; press one to zoom to it.`),
		el("div", { class: "lane" }, el("span", { class: "lane-name", "aria-hidden": "true" }, "whole run"),
			el("div", { class: "lane-bands" }, strip.node)),
		...lanes.map(({ name, parts, kind }) => row(name, parts, kind)),
		marks.length ? row("marks", marks, "marks") : null);
	return {
		node,
		destroy() {
			clearTimeout(still);
			release();
			stop();
		},
	};
}
