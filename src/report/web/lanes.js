// lanes.js - lifetimes: a bar from start to end for each process, or for each region of the code.
import { through } from "./band.js";
import { paintBands } from "./band_paint.js";
import { button, el } from "./element.js";
import { moment } from "./clock.js";
import { makePlot } from "./plot.js";
import { barPicture } from "./picture.js";
import { pictureButtons } from "./picture_buttons.js";
import { announce } from "./speech.js";
import { colour } from "./theme.js";

const LANE = 17;
const FEW_LANES = 16;

// makeLanes({ id, title, summary, bars: [{ start, end, lane, name, colour, text }], lanes, labels?: [{ lane, text }],
//             timeline, what, file, bands: of the run }) -> { node, destroy() }
// text() describes the bar in full; what is "process" or "region".
export function makeLanes({ id, title, summary, bars, lanes, labels = [], timeline, what, file, bands }) {
	const moments = [...new Set(bars.flatMap((bar) => [bar.start, bar.end]))].sort((a, b) => a - b);
	let shownLanes = Math.min(lanes, FEW_LANES);
	let pointed = null;

	function paint(u) {
		const { ctx, bbox } = u;
		const ratio = devicePixelRatio || 1;
		paintBands(u, { ...bands, lanes: [] });
		ctx.font = `${10.5 * ratio}px system-ui, sans-serif`;
		ctx.textBaseline = "middle";
		ctx.textAlign = "left";
		for (const bar of bars) {
			const left = Math.max(u.valToPos(bar.start, "x", true), bbox.left - 2);
			const right = Math.min(u.valToPos(bar.end, "x", true), bbox.left + bbox.width + 2);
			if (right < bbox.left || left > bbox.left + bbox.width || bar.lane >= shownLanes)
				continue;
			const top = Math.round(u.valToPos(bar.lane, "y", true)) + ratio;
			const height = (LANE - 3) * ratio;
			const width = Math.max(right - left, 1.5 * ratio);
			ctx.fillStyle = through(colour(bar.colour), bar === pointed ? 0.6 : 0.28);
			ctx.fillRect(left, top, width, height);
			ctx.fillStyle = colour(bar.colour);
			ctx.fillRect(left, top, Math.min(2 * ratio, width), height);
			if (width > 28 * ratio) {
				ctx.save();
				ctx.beginPath();
				ctx.rect(left, top, width - 3 * ratio, height);
				ctx.clip();
				ctx.fillStyle = colour("ink");
				ctx.fillText(bar.name, left + 6 * ratio, top + height / 2);
				ctx.restore();
			}
		}
	}

	const readout = el("p", { class: "readout" });
	function readoutText() {
		if (pointed)
			return pointed.text();
		const { cursor } = timeline;
		if (cursor === null)
			return "Point at a bar to read it; a click zooms to it.";
		const alive = bars.filter((bar) => bar.start <= cursor && bar.end >= cursor);
		if (!alive.length)
			return `At ${moment(cursor)}: no ${what} shown here`;
		const names = [...new Set(alive.map((bar) => bar.name))];
		const more = names.length > 5 ? ", …" : "";
		return `At ${moment(cursor)}: ${alive.length} (${names.slice(0, 5).join(", ")}${more})`;
	}

	const heightOf = () => shownLanes * LANE + 34;
	const build = () => makePlot({
		label: `${title}, bars over time`, describedBy: `${id}-summary keys`,
		timeline, times: () => moments, height: heightOf(), yRange: () => [0, shownLanes],
		yAxis: {
			dir: -1, grid: { show: false }, ticks: { show: false },
			splits: () => labels.filter(({ lane }) => lane < shownLanes).map(({ lane }) => lane + 0.5),
			values: () => labels.filter(({ lane }) => lane < shownLanes).map(({ text }) => text),
		},
		paintBelow: paint,
		onPoint(at, y) {
			const tolerance = (timeline.window[1] - timeline.window[0]) / 400;
			const bar = at === null ? null : bars.find((one) => one.lane === Math.floor(y) &&
				one.start - tolerance <= at && one.end + tolerance >= at) ?? null;
			if (bar !== pointed) {
				pointed = bar;
				plot.redraw();
			}
			readout.textContent = readoutText();
		},
		onClick() {
			if (pointed && pointed.end > pointed.start)
				timeline.setWindow(pointed.start, pointed.end);
		},
		onKeys() {
			pointed = null;
			announce(readoutText());
		},
	});
	let plot = build();
	const stop = timeline.listen(() => { readout.textContent = readoutText(); });
	readout.textContent = readoutText();

	const more = lanes > shownLanes ? button(`Show all ${lanes} lanes`, () => {
		shownLanes = lanes;
		const old = plot;
		plot = build();
		old.node.replaceWith(plot.node);
		old.destroy();
		more.hidden = true;
	}, { class: "quiet more" }) : null;
	const node = el("figure", { class: "chart", id },
		el("div", { class: "chart-bar" }, el("h3", {}, title), el("span", { class: "actions" }, ...pictureButtons({
			title, file: `${file}-${id}`, picture: (colourOf) => barPicture({ title, bars, lanes, window: timeline.window }, colourOf),
		}))),
		el("figcaption", { id: `${id}-summary` }, summary),
		el("div", { class: "chart-body" }, plot.node), readout, more);
	return {
		node,
		destroy() {
			stop();
			plot.destroy();
		},
	};
}
