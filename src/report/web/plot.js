// plot.js - a plot over the time: axes, zoom, crosshair, keyboard.  Charts, heat maps and lanes are built on it.
import uPlot from "uplot";
import { el } from "./element.js";
import { onClockChange, timeSplits, timeTicks } from "./clock.js";
import { TIME_STEPS } from "./format.js";
import { bindTouch, bindWheel } from "./gestures.js";
import { colour, onThemeChange } from "./theme.js";

const GUTTER = 62;              // the same for all plots, so that their time axes are aligned
const FONT = "11px system-ui, sans-serif";
const PAPER = { width: 322, height: 112 };      // two charts beside each other on a sheet

const LETTER = 6;               // px, of the labels of axes
const BESIDE = 20;              // px, right of a plot

// A label that would be cut off at the right edge is left out.
const withoutCut = (self, at, labels) => labels.map((label, i) =>
	(self.valToPos(at[i], "x") + (label.length * LETTER) / 2 > self.bbox.width / (devicePixelRatio || 1) + BESIDE ? "" : label));

const NOTHING = [[0, 1]];       // for plots that draw everything themselves

const plots = new Set();
const paintAll = () => plots.forEach((plot) => plot.redraw());
onThemeChange(paintAll);
onClockChange(paintAll);
window.addEventListener("beforeprint", () =>
	plots.forEach((plot) => plot.resize(PAPER.width, Math.min(PAPER.height, plot.height))));
window.addEventListener("afterprint", () => plots.forEach((plot) => plot.resize()));

const axisLook = () => ({
	font: FONT, stroke: () => colour("muted"),
	grid: { stroke: () => colour("grid"), width: 1 },
	ticks: { stroke: () => colour("grid"), width: 1, size: 4 },
});

// Keys that work on a plot: they move the crosshair and the window of all plots.
function onKey(event, timeline, times) {
	const step = event.shiftKey ? 10 : 1;
	const move = (by) => {
		const [from, to] = timeline.window;
		const at = timeline.cursor ?? (by > 0 ? from : to);
		const last = times.length - 1;
		const here = times.findIndex((t) => t >= at);
		const next = (here < 0 ? last : here) + (timeline.cursor === null ? 0 : by);
		timeline.setCursor(Math.min(Math.max(times[Math.min(Math.max(next, 0), last)], from), to));
	};
	const actions = {
		ArrowLeft: () => move(-step), ArrowRight: () => move(step),
		Home: () => timeline.setCursor(timeline.window[0]), End: () => timeline.setCursor(timeline.window[1]),
		PageUp: () => timeline.pan(-0.5), PageDown: () => timeline.pan(0.5),
		"+": () => timeline.zoom(0.5), "=": () => timeline.zoom(0.5), "-": () => timeline.zoom(2),
		0: () => timeline.reset(),
		Escape: () => timeline.setCursor(null),
	};
	const action = actions[event.key];
	if (!action || event.ctrlKey || event.metaKey || event.altKey || times.length === 0)
		return false;
	event.preventDefault();
	action();
	return true;
}

// A plot is drawn when it comes near the visible part, so that a page with very many opens at once.
const NEAR = "800px 0px";

// A plot that is not seen follows when the window stands still, so that a frame draws only what is seen.
const LATER_MS = 120;

// makePlot({ label, timeline, times, data, series, height, yRange, yAxis, paintBelow, paintAbove, onPoint, onClick, onKeys,
//            onFollow })
// -> { node, redraw(), refresh(), show(i, on), destroy() }; refresh() also finds the range of the y axis anew
//    times      () => where the crosshair stops when moved by keys
//    data       () => what uPlot draws itself for the window: [xs, ys, ...], the same array while nothing changed; with
//               series, its looks
//    yRange     () => [bottom, top] for the window as it is
//    paintBelow, paintAbove  (u) => draws on u.ctx before the lines, kept inside the axes, or after them
//    onPoint    (seconds or null, value on the y axis or null, { left, right }: the crosshair and the plot's end in px)
//               when the mouse points somewhere
//    onClick    (seconds) after a click without a drag
//    onKeys     () when the keyboard moved the crosshair or the window
//    onFollow   () when the plot shows another part or moment
export function makePlot({
	label, describedBy, timeline, times, data = () => NOTHING, series = [], height, yRange, gutter = GUTTER, yAxis = {}, paintBelow,
	paintAbove, onPoint, onClick, onKeys, onFollow,
}) {
	const node = el("div", {
		class: "plot", tabindex: "0", role: "application", "aria-roledescription": "chart", "aria-label": label,
		"aria-describedby": describedBy,
		onkeydown: (event) => onKey(event, timeline, times()) && onKeys?.(),
	});
	node.style.setProperty("--height", `${height}px`);
	let u = null;
	let drawn = null;               // the data that u has
	let isSeen = true;
	let late = null;                // a timer: the plot shows another part than the timeline

	function clipped(paint) {
		return (self) => {
			self.ctx.save();
			self.ctx.beginPath();
			self.ctx.rect(self.bbox.left, self.bbox.top, self.bbox.width, self.bbox.height);
			self.ctx.clip();
			paint(self);
			self.ctx.restore();
		};
	}

	function pointed(self) {
		if (!self.cursor.event)
			return;
		const { left, top } = self.cursor;
		const inside = left !== undefined && left >= 0 && top >= 0;
		timeline.setCursor(inside ? self.posToVal(left, "x") : null);
		onPoint?.(inside ? self.posToVal(left, "x") : null, inside ? self.posToVal(top, "y") : null,
			{ left: self.over.offsetLeft + left, right: node.clientWidth });
	}

	function bindOver({ over }) {
		let pressed = null;
		bindWheel(over, timeline);
		bindTouch(over, timeline, (at) => timeline.setCursor(at));
		over.addEventListener("mousedown", (event) => { pressed = event.clientX; });
		// A tap reads the values.
		over.addEventListener("click", (event) => {
			if (onClick && event.pointerType !== "touch" && event.detail === 1 && pressed !== null && Math.abs(event.clientX - pressed) <= 2)
				onClick(u.posToVal(event.clientX - over.getBoundingClientRect().left, "x"));
		});
	}

	function selected(self) {
		const { left, width } = self.select;
		if (width > 2)
			timeline.setWindow(self.posToVal(left, "x"), self.posToVal(left + width, "x"));
		self.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
	}

	// Publishes the visible window, for tests.
	const publish = (self) => { node.dataset.window = `${self.scales.x.min} ${self.scales.x.max}`; };

	function create(width, high) {
		drawn = data();
		u = new uPlot({
			width, height: high, series: [{}, ...series], legend: { show: false },
			padding: [8, BESIDE, 0, 0],
			scales: {
				x: { time: false, range: () => timeline.window },
				y: { range: () => yRange(), dir: yAxis.dir ?? 1 },
			},
			axes: [
				{
					...axisLook(), incrs: TIME_STEPS, space: 76, size: 26,
					splits: (_, __, from, to, step) => timeSplits(from, to, step),
					values: (self, at, _, __, step) => withoutCut(self, at, timeTicks(at, step)),
				},
				{ ...axisLook(), size: gutter, space: 28, ...yAxis },
			],
			cursor: {
				y: false, points: { show: false }, drag: { x: true, y: false, setScale: false },
				bind: { dblclick: () => () => { timeline.reset(); return null; } },
			},
			hooks: {
				drawAxes: paintBelow ? [clipped(paintBelow)] : [],
				draw: [...(paintAbove ? [paintAbove] : []), publish],
				setCursor: [pointed], setSelect: [selected],
			},
		}, drawn, node);
		bindOver(u);
		onFollow?.();
	}

	function showWindow() {
		clearTimeout(late);
		late = null;
		const [from, to] = timeline.window;
		const isOther = u.scales.x.min !== from || u.scales.x.max !== to;
		const next = data();
		if (next !== drawn)
			u.setData(drawn = next, false);
		if (isOther || plot.isStale)
			u.setScale("x", { min: from, max: to });
		plot.isStale = false;
		onFollow?.();
	}

	function follow({ window: [from, to], cursor }) {
		if (!u)
			return;
		clearTimeout(late);
		if (isSeen)
			showWindow();
		else
			late = setTimeout(showWindow, LATER_MS);
		if (!node.matches(":hover") || !u.cursor.event)
			u.cursor.event = null;
		const left = cursor === null ? -10 : ((cursor - from) / (to - from)) * u.over.clientWidth;
		if (Math.abs(left - (u.cursor.left ?? -10)) > 0.5)
			u.setCursor({ left, top: left < 0 ? -10 : 0 }, false);
	}

	const plot = {
		node,
		redraw: () => u?.redraw(false, false),
		isStale: false,         // other values than drawn
		get isDrawn() { return u !== null; },
		refresh() {
			plot.isStale = true;
			if (u && isSeen)
				showWindow();
			else if (u)
				late = setTimeout(showWindow, LATER_MS);
		},
		show: (i, on) => u?.setSeries(i + 1, { show: on }),
		height,
		resize(width = node.clientWidth, high = height) {
			if (width <= 0)
				return;
			node.style.setProperty("--height", `${high}px`);
			if (u)
				u.setSize({ width, height: high });
			else
				create(width, high);
		},
		destroy() {
			plots.delete(plot);
			coming.disconnect();
			seen.disconnect();
			clearTimeout(late);
			sizes.disconnect();
			stop();
			u?.destroy();
		},
	};
	const coming = new IntersectionObserver((entries) => {
		if (!u && entries.some((entry) => entry.isIntersecting))
			plot.resize();
	}, { rootMargin: NEAR });
	const seen = new IntersectionObserver((entries) => {
		isSeen = entries.at(-1).isIntersecting;
		if (isSeen && late)
			showWindow();
	});
	const sizes = new ResizeObserver(() => {
		if (u && u.width !== node.clientWidth)
			plot.resize();
	});
	const stop = timeline.listen(follow);
	coming.observe(node);
	seen.observe(node);
	sizes.observe(node);
	plots.add(plot);
	return plot;
}
