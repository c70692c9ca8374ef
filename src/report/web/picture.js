// picture.js - a chart as an SVG text, drawn from its data: for papers and slides.  Pure.
import { timeSplits, timeTicks } from "./clock.js";
import { axisLabels, stepsOf, TIME_STEPS } from "./format.js";

export const PICTURE = { width: 960, height: 360 };
const PLOT = { left: 74, right: 940, top: 40, bottom: 296 };
const FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif";
const LEGEND_LINE = 18;

const escaped = (text) => String(text).replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`);
const rounded = (value) => String(Number(value.toFixed(2)));

// element("rect", { x: 1 }, content?) -> "<rect x="1"/>"
function element(tag, properties, content = null) {
	const words = Object.entries(properties).filter(([, value]) => value !== undefined)
		.map(([name, value]) => ` ${name}="${typeof value === "number" ? rounded(value) : escaped(value)}"`).join("");
	return content === null ? `<${tag}${words}/>` : `<${tag}${words}>${content}</${tag}>`;
}

const label = (x, y, text, more = {}) => element("text", { x, y, ...more }, escaped(text));

// The parts of a curve without a gap, within the window: [[x, y], ...] each.
function curves({ times, average }, values, { window: [from, to], x, y }) {
	const parts = [];
	let part = null;
	values.forEach((value, i) => {
		const begin = i > 0 ? times[i - 1] : 0;
		if (value === null || value === undefined || times[i] < from || begin > to) {
			part = null;
			return;
		}
		if (!part)
			parts.push(part = []);
		if (average)
			part.push([x(begin), y(value)]);
		part.push([x(times[i]), y(value)]);
	});
	return parts;
}

const path = (points) => points.map(([px, py], i) => `${i ? "L" : "M"}${rounded(px)} ${rounded(py)}`).join("");

// The area between two curves, part by part.
function area(line, low, high, scale, properties) {
	const upper = curves(line, high, scale);
	const lower = typeof low === "number" ? upper.map((points) => points.map(([px]) => [px, scale.y(low)])) : curves(line, low, scale);
	return upper.map((points, i) => element("path", { d: `${path([...points, ...(lower[i] ?? []).slice().reverse()])}Z`, ...properties })).join("");
}

function drawn(line, scale, colourOf) {
	const fill = colourOf(line.colour);
	const spread = line.min && line.max ? area(line, line.min, line.max, scale, { fill, "fill-opacity": 0.18 }) : "";
	const bounds = line.low && line.high ? area(line, line.low, line.high, scale, { fill, "fill-opacity": 0.2 }) : "";
	const below = line.style === "area" ? area(line, 0, line.mean, scale, { fill, "fill-opacity": 0.14 }) : "";
	const curve = curves(line, line.mean, scale).map((points) => element("path", {
		d: path(points), fill: "none", stroke: fill, "stroke-width": 1.6, "stroke-dasharray": line.dash?.join(" "),
	})).join("");
	return below + bounds + spread + curve;
}

const stepFor = (steps, span, most) => steps.find((one) => span / one <= most) ?? span;

function valueAxis({ top, unit, y }, colourOf) {
	const step = stepFor(stepsOf(unit), top, 6);
	const values = Array.from({ length: Math.floor(top / step + 1e-9) + 1 }, (_, i) => i * step);
	const words = axisLabels(values, unit);
	return values.map((value, i) =>
		element("line", { x1: PLOT.left, y1: y(value), x2: PLOT.right, y2: y(value), stroke: colourOf("line") }) +
		label(PLOT.left - 8, y(value) + 4, words[i], { "text-anchor": "end", fill: colourOf("muted") })).join("");
}

function bandShapes({ lanes, marks }, { window: [from, to], x }, colourOf) {
	const inside = (band) => band.end > from && band.start < to;
	const regions = lanes.filter(({ kind }) => kind === "region")[0]?.bands.filter(inside) ?? [];
	const shapes = regions.map((band) => {
		const [left, right] = [Math.max(x(band.start), PLOT.left), Math.min(x(band.end), PLOT.right)];
		const fits = right - left > 8 * band.name.length;
		const box = { x: left, y: PLOT.top, width: right - left, height: PLOT.bottom - PLOT.top };
		return element("rect", { ...box, fill: colourOf(band.colour), "fill-opacity": 0.08 }) +
			(fits ? label(left + 4, PLOT.top + 12, band.name, { fill: colourOf("muted"), "font-size": 10 }) : "");
	});
	const lines = marks.filter(({ at }) => at >= from && at <= to).map((mark) => element("line", {
		x1: x(mark.at), x2: x(mark.at), y1: PLOT.top, y2: PLOT.bottom, stroke: colourOf(mark.colour), "stroke-dasharray": "3 3", "stroke-opacity": 0.6,
	}));
	return [...shapes, ...lines].join("");
}

// Names of lines, several in a row.  -> [elements, height]
function legend(lines, colourOf) {
	let [left, row] = [PLOT.left, 0];
	const parts = lines.map((line) => {
		const width = 30 + 7.2 * line.label.length;
		if (left + width > PLOT.right && left > PLOT.left)
			[left, row] = [PLOT.left, row + 1];
		const y = PLOT.bottom + 44 + row * LEGEND_LINE;
		const part = element("rect", { x: left, y: y - 9, width: 11, height: 11, rx: 2, fill: colourOf(line.colour) }) +
			label(left + 17, y, line.label, { fill: colourOf("ink") });
		left += width;
		return part;
	});
	return [parts.join(""), (row + 1) * LEGEND_LINE];
}

// A whole picture: its frame, title and content, already drawn.
function picture({ title, note = "", width, height }, content, colourOf) {
	const heading = { "font-size": 15, "font-weight": 600, fill: colourOf("ink") };
	const svg = element("svg", {
		xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, "font-family": FONT, "font-size": 12,
	}, element("title", {}, escaped(title)) + element("rect", { width, height, fill: colourOf("card") }) +
		label(PLOT.left, 24, title, heading) + label(PLOT.right, 24, note, { "text-anchor": "end", fill: colourOf("muted") }) + content);
	return { svg, width, height };
}

// Ticks of the time below a plot that ends at `bottom`.
function timeAxis([from, to], x, bottom, colourOf) {
	const step = stepFor(TIME_STEPS, to - from, 9);
	const moments = timeSplits(from, to, step);
	const words = timeTicks(moments, step);
	return moments.map((at, i) => label(x(at), bottom + 18, words[i], { "text-anchor": "middle", fill: colourOf("muted") })).join("");
}

// linePicture({ title, note, lines, layers: of a stack or null, bands, window, top, unit }, colourOf) -> { svg, width,
// height }
export function linePicture({ title, note, lines, layers, bands, window, top, unit }, colourOf) {
	const [from, to] = window;
	const scale = {
		window, top, unit, x: (t) => PLOT.left + ((t - from) / (to - from)) * (PLOT.right - PLOT.left),
		y: (v) => PLOT.bottom - (v / top) * (PLOT.bottom - PLOT.top),
	};
	const [names, more] = legend(lines, colourOf);
	const [width, height] = [PICTURE.width, PICTURE.height - LEGEND_LINE + more];
	const shapes = lines.map((line, i) => (layers
		? area(line, layers[i].low, layers[i].high, scale, { fill: colourOf(line.colour), "fill-opacity": 0.8 })
		: drawn(line, scale, colourOf))).join("");
	const clip = element("clipPath", { id: "inside" }, element("rect", {
		x: PLOT.left, y: PLOT.top, width: PLOT.right - PLOT.left, height: PLOT.bottom - PLOT.top }));
	const content = clip + valueAxis(scale, colourOf) + timeAxis(window, scale.x, PLOT.bottom, colourOf) +
		element("g", { "clip-path": "url(#inside)" }, bandShapes(bands, scale, colourOf) + shapes) + names;
	return picture({ title, note, width, height }, content, colourOf);
}

// Bars { start, end, lane, name, colour } as a picture; colour names, or "#rrggbb" as they are.
export function barPicture({ title, bars, lanes, window, laneHeight = 18 }, colourOf) {
	const [from, to] = window;
	const bottom = PLOT.top + lanes * laneHeight;
	const x = (t) => PLOT.left + ((Math.min(Math.max(t, from), to) - from) / (to - from)) * (PLOT.right - PLOT.left);
	const shapes = bars.filter((bar) => bar.end >= from && bar.start <= to).map((bar) => {
		const [left, right, y] = [x(bar.start), x(bar.end), PLOT.top + bar.lane * laneHeight];
		const box = { x: left, y, width: Math.max(right - left, 0.8), fill: bar.colour.startsWith("#") ? bar.colour : colourOf(bar.colour) };
		if (!bar.name)
			return element("rect", { ...box, height: laneHeight });
		const fits = right - left > 7 * bar.name.length + 6;
		return element("rect", { ...box, height: laneHeight - 3, "fill-opacity": 0.35 }) +
			(fits ? label(left + 4, y + laneHeight - 6, bar.name, { fill: colourOf("ink"), "font-size": 11 }) : "");
	}).join("");
	return picture({ title, width: PICTURE.width, height: bottom + 34 }, shapes + timeAxis(window, x, bottom, colourOf), colourOf);
}

// Boxes { left, width (parts of 1), level, name, colour } below each other as a picture.
export function boxPicture({ title, boxes, levelHeight = 20 }, colourOf) {
	const [from, wide] = [14, PICTURE.width - 28];
	const shapes = boxes.map(({ left, width, level, name, colour }) => {
		const box = { x: from + left * wide, y: PLOT.top + level * levelHeight, width: Math.max(width * wide - 1, 0.8), height: levelHeight - 1 };
		const fits = width * wide > 7 * name.length + 8;
		return element("rect", { ...box, fill: colourOf(colour), "fill-opacity": 0.35 }) +
			(fits ? label(box.x + 5, box.y + levelHeight - 6, name, { fill: colourOf("ink"), "font-size": 11 }) : "");
	});
	const levels = 1 + Math.max(0, ...boxes.map(({ level }) => level));
	return picture({ title, width: PICTURE.width, height: PLOT.top + levels * levelHeight + 14 }, shapes.join(""), colourOf);
}
