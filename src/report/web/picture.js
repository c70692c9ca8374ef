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
	const below = line.style === "area" ? area(line, 0, line.mean, scale, { fill, "fill-opacity": 0.14 }) : "";
	const curve = curves(line, line.mean, scale).map((points) => element("path", {
		d: path(points), fill: "none", stroke: fill, "stroke-width": 1.6, "stroke-dasharray": line.dash?.join(" "),
	})).join("");
	return below + spread + curve;
}

function axes({ window: [from, to], top, unit, x, y }, colourOf) {
	const step = (steps, span, most) => steps.find((one) => span / one <= most) ?? span;
	const [timeStep, valueStep] = [step(TIME_STEPS, to - from, 9), step(stepsOf(unit), top, 6)];
	const moments = timeSplits(from, to, timeStep);
	const values = Array.from({ length: Math.floor(top / valueStep + 1e-9) + 1 }, (_, i) => i * valueStep);
	const [words, times] = [axisLabels(values, unit), timeTicks(moments, timeStep)];
	const grid = (x1, y1, x2, y2) => element("line", { x1, y1, x2, y2, stroke: colourOf("line") });
	return values.map((value, i) => grid(PLOT.left, y(value), PLOT.right, y(value)) +
		label(PLOT.left - 8, y(value) + 4, words[i], { "text-anchor": "end", fill: colourOf("muted") })).join("") +
		moments.map((at, i) => label(x(at), PLOT.bottom + 18, times[i], { "text-anchor": "middle", fill: colourOf("muted") })).join("");
}

function bandShapes({ lanes, marks }, { window: [from, to], x }, colourOf) {
	const inside = (band) => band.end > from && band.start < to;
	const regions = lanes.filter(({ kind }) => kind === "region")[0]?.bands.filter(inside) ?? [];
	const shapes = regions.map((band) => {
		const [left, right] = [Math.max(x(band.start), PLOT.left), Math.min(x(band.end), PLOT.right)];
		const fits = right - left > 8 * band.name.length;
		return element("rect", { x: left, y: PLOT.top, width: right - left, height: PLOT.bottom - PLOT.top, fill: colourOf(band.colour), "fill-opacity": 0.08 }) +
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
	const svg = element("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, "font-family": FONT, "font-size": 12 },
		element("title", {}, escaped(title)) + element("rect", { width, height, fill: colourOf("card") }) + clip +
		label(PLOT.left, 24, title, { "font-size": 15, "font-weight": 600, fill: colourOf("ink") }) +
		label(PLOT.right, 24, note, { "text-anchor": "end", fill: colourOf("muted") }) +
		axes(scale, colourOf) + element("g", { "clip-path": "url(#inside)" }, bandShapes(bands, scale, colourOf) + shapes) + names);
	return { svg, width, height };
}

// Bars { start, end, lane, name, colour } as a picture; colour names, or "#rrggbb" as they are.
export function barPicture({ title, bars, lanes, window, laneHeight = 18 }, colourOf) {
	const [from, to] = window;
	const bottom = PLOT.top + lanes * laneHeight;
	const [width, height] = [PICTURE.width, bottom + 34];
	const x = (t) => PLOT.left + ((Math.min(Math.max(t, from), to) - from) / (to - from)) * (PLOT.right - PLOT.left);
	const step = TIME_STEPS.find((one) => (to - from) / one <= 9) ?? to - from;
	const moments = timeSplits(from, to, step);
	const words = timeTicks(moments, step);
	const shapes = bars.filter((bar) => bar.end >= from && bar.start <= to).map((bar) => {
		const [left, right, y] = [x(bar.start), x(bar.end), PLOT.top + bar.lane * laneHeight];
		const fill = bar.colour.startsWith("#") ? bar.colour : colourOf(bar.colour);
		const fits = bar.name && right - left > 7 * bar.name.length + 6;
		return element("rect", { x: left, y, width: Math.max(right - left, 0.8), height: laneHeight - (bar.name ? 3 : 0), fill, "fill-opacity": bar.name ? 0.35 : undefined }) +
			(fits ? label(left + 4, y + laneHeight - 6, bar.name, { fill: colourOf("ink"), "font-size": 11 }) : "");
	}).join("");
	const svg = element("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height, "font-family": FONT, "font-size": 12 },
		element("title", {}, escaped(title)) + element("rect", { width, height, fill: colourOf("card") }) +
		label(PLOT.left, 24, title, { "font-size": 15, "font-weight": 600, fill: colourOf("ink") }) + shapes +
		moments.map((at, i) => label(x(at), bottom + 18, words[i], { "text-anchor": "middle", fill: colourOf("muted") })).join(""));
	return { svg, width, height };
}
