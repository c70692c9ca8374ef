// job_map.js - all ranks of a job over the time: a line for each rank, by node, darker (or brighter) for more.
import { choice } from "./choice.js";
import { moment } from "./clock.js";
import { saveCsv } from "./csv.js";
import { button, el } from "./element.js";
import { counted, quantity } from "./format.js";
import { farthest, meanOf, nodeName, rankName } from "./job_data.js";
import { barPicture } from "./picture.js";
import { pictureButtons } from "./picture_buttons.js";
import { makePlot } from "./plot.js";
import { hexOf, ramp, shadeOf } from "./ramp.js";
import { announce } from "./speech.js";
import { bucketAt } from "./statistics.js";
import { colour, onThemeChange } from "./theme.js";

const HIGHEST = 640;            // px, of all lines
const RANK_HIGH = 20;           // px, of one where there are few
const LABEL = 9;                // letters that the space beside a plot has room for
const LABEL_HIGH = 12;          // px
const MARK = 5;                 // px, beside the line of a straggler

const short = (name) => (name.length > LABEL ? `${name.slice(0, LABEL - 1)}…` : name);

// The map in words: the median rank, and those with the least and the most on average.
export function mapSummary(job, line, [from, to]) {
	const { points } = job.map;
	const means = [];
	for (let row = from; row < to; row++)
		means.push([meanOf(line.values(), points, row), row]);
	const known = means.filter(([mean]) => !Number.isNaN(mean)).sort(([a], [b]) => a - b);
	if (!known.length)
		return "Nothing is known of these ranks.";
	const words = ([mean, row]) => `${quantity(mean, line.unit)} (${rankName(job, row)} on ${nodeName(job, row)})`;
	return `Mean over the time of ${counted(known.length, job.kind, `${job.kind}s`)}: median ` +
		`${quantity(known[(known.length - 1) >> 1][0], line.unit)}, least ${words(known[0])}, most ${words(known.at(-1))}.`;
}

// The lines of the map: which ranks [from, to) each stands for, and the rank that is shown at each interval.
function linesOf(job, line, [from, to]) {
	const { points } = job.map;
	const count = Math.min(to - from, HIGHEST);
	const edge = (i) => from + Math.floor((i * (to - from)) / count);
	const parts = Array.from({ length: count }, (_, i) => [edge(i), edge(i + 1)]);
	const shown = new Int32Array(count * points);
	parts.forEach((part, k) => {
		for (let i = 0; i < points; i++)
			shown[k * points + i] = farthest(line.values(), line.medians(), points, part, i);
	});
	return { count, parts, shown };
}

// A picture with a pixel for each interval of each line, which is drawn larger.
function paintLines(job, line, { count, shown }, colours) {
	const { points } = job.map;
	const canvas = el("canvas", { width: points, height: count });
	const ctx = canvas.getContext("2d");
	const image = ctx.createImageData(points, count);
	const [values, most] = [line.values(), line.most().value || 1];
	for (let at = 0; at < shown.length; at++) {
		const value = shown[at] < 0 ? NaN : values[shown[at] * points + (at % points)];
		if (!Number.isNaN(value))
			image.data.set([...colours[shadeOf(value / most)], 255], at * 4);
	}
	ctx.putImageData(image, 0, 0);
	return canvas;
}

// The labels beside the lines: nodes; of one node its ranks.  -> [[row since `from`, text]], those that have room
function labelsOf(job, [from, to], lineHigh) {
	const rows = to - from;
	const isNode = job.nodes.some(({ first, ranks }) => first === from && from + ranks === to) && rows > 1 && job.nodes.length > 1;
	const all = isNode ? job.ranks.slice(from, to).map(({ rank }, i) => [i + 0.5, `${job.kind} ${rank}`])
		: job.nodes.filter(({ first }) => first >= from && first < to)
			.map(({ first, ranks, name }) => [first - from + Math.min(ranks, LABEL_HIGH / lineHigh) / 2, short(name)]);
	let last = -Infinity;
	return all.filter(([row]) => {
		const fits = (row - last) * lineHigh >= LABEL_HIGH;
		last = fits ? row : last;
		return fits;
	});
}

// One quantity of the ranks [from, to).
function makeMap({ job, line, range, timeline, title }) {
	const { points, seconds } = job.map;
	const [from, to] = range;
	const rows = to - from;
	const lines = linesOf(job, line, range);
	const high = Math.min(RANK_HIGH, HIGHEST / rows);       // px, of a rank
	const times = Array.from({ length: points }, (_, i) => ((i + 1) * seconds) / points);
	const labels = labelsOf(job, range, high);
	let painted = null;
	let pointed = null;             // a line
	const forget = onThemeChange(() => { painted = null; });

	function paint(u) {
		painted ??= paintLines(job, line, lines, ramp());
		const [left, right] = [0, seconds].map((t) => u.valToPos(t, "x", true));
		u.ctx.imageSmoothingEnabled = false;
		u.ctx.drawImage(painted, left, u.bbox.top, right - left, u.bbox.height);
		u.ctx.fillStyle = colour("card");
		if (high >= 6)
			for (let row = 1; row < rows; row++)
				u.ctx.fillRect(u.bbox.left, Math.round(u.valToPos(row, "y", true)), u.bbox.width, 1);
		u.ctx.fillStyle = colour("line");
		for (const { first, ranks } of job.nodes)
			if (first > from && first < to && ranks * high >= LABEL_HIGH)
				u.ctx.fillRect(u.bbox.left, Math.round(u.valToPos(first - from, "y", true)), u.bbox.width, 1);
	}

	function markStragglers(u) {
		const ratio = devicePixelRatio || 1;
		u.ctx.fillStyle = colour("bad");
		for (const row of job.straggler_rows.filter((one) => one >= from && one < to)) {
			const [top, bottom] = [row - from, row - from + 1].map((y) => u.valToPos(y, "y", true));
			u.ctx.fillRect(u.bbox.left + u.bbox.width, top, MARK * ratio, Math.max(bottom - top, 2 * ratio));
		}
	}

	const readout = el("p", { class: "readout" });
	function readoutText() {
		const { cursor } = timeline;
		if (cursor === null || cursor > times.at(-1))
			return "Point at a place to read it; the keys up and down choose a line.";
		const i = bucketAt(times, cursor);
		const median = `median ${quantity(line.medians()[i], line.unit)}`;
		const row = pointed === null ? -1 : lines.shown[pointed * points + i];
		if (pointed === null)
			return `At ${moment(cursor)}: ${median}.`;
		if (row < 0)
			return `${rankName(job, lines.parts[pointed][0])} at ${moment(cursor)}: unknown; ${median}.`;
		return `${rankName(job, row)} on ${nodeName(job, row)} at ${moment(cursor)}: ` +
			`${quantity(line.values()[row * points + i], line.unit)}; ${median}.`;
	}
	const read = () => { readout.textContent = readoutText(); };

	const plot = makePlot({
		label: `${title}, a map of ${counted(rows, job.kind, `${job.kind}s`)} over time`, describedBy: "map-summary keys",
		timeline, times: () => times, height: Math.round(rows * high) + 34, yRange: () => [0, rows],
		yAxis: {
			dir: -1, grid: { show: false }, ticks: { show: false },
			splits: () => labels.map(([row]) => row), values: () => labels.map(([, text]) => text),
		},
		paintBelow: paint, paintAbove: markStragglers,
		onPoint(_, y) {
			pointed = y === null ? null : Math.min(Math.max(Math.floor((y / rows) * lines.count), 0), lines.count - 1);
			read();
		},
		onKeys: () => announce(readoutText()),
	});
	plot.node.addEventListener("keydown", (event) => {
		const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
		if (!by)
			return;
		event.preventDefault();
		pointed = pointed === null ? 0 : Math.min(Math.max(pointed + by, 0), lines.count - 1);
		if (timeline.cursor === null)
			timeline.setCursor(timeline.window[0]);
		announce(readoutText());
		read();
	});
	const stop = timeline.listen(read);
	read();

	// The map as bars, neighbours of one colour as one.
	function bars() {
		const [found, colours, values] = [[], ramp().map(hexOf), line.values()];
		for (let lane = 0; lane < lines.count; lane++)
			for (let i = 0; i < points; i++) {
				const row = lines.shown[lane * points + i];
				if (row < 0)
					continue;
				const shade = colours[shadeOf(values[row * points + i] / (line.most().value || 1))];
				const last = found.at(-1);
				if (last?.lane === lane && last.colour === shade && last.end === (i ? times[i - 1] : 0))
					last.end = times[i];
				else
					found.push({ start: i ? times[i - 1] : 0, end: times[i], lane, name: "", colour: shade });
			}
		return found;
	}
	return {
		node: el("div", { class: "chart-body" }, plot.node), readout,
		picture: (colourOf) => barPicture({
			title, bars: bars(), lanes: lines.count, window: timeline.window, laneHeight: Math.max(Math.floor(high), 1),
		}, colourOf),
		shared: lines.count < rows ? Math.ceil(rows / lines.count) : 1,
		destroy() {
			forget();
			stop();
			plot.destroy();
		},
	};
}

function saveMap(job, line, [from, to]) {
	const { points, seconds } = job.map;
	const values = line.values();
	saveCsv(`job-${job.job ?? "ranks"}-${line.key}`,
		[job.kind, "node", ...Array.from({ length: points }, (_, i) => `until_${Number((((i + 1) * seconds) / points).toFixed(1))}_seconds`)],
		job.ranks.slice(from, to).map(({ rank, node }, i) => [rank, job.nodes[node].name, ...Array.from({ length: points }, (_, k) => {
			const value = values[(from + i) * points + k];
			return Number.isNaN(value) ? null : Number(value.toPrecision(4));
		})]));
}

// makeJobMap(job, timeline) -> { node }: the map with its choices; null: nothing is known of any rank over the time
export function makeJobMap(job, timeline) {
	if (!job.map.lines.length)
		return null;
	const whole = [0, job.ranks.length];
	let [line, range, part] = [job.map.lines[0], whole, null];
	const [title, scale, summary, body] = [el("h3"), el("span", { class: "ramp", "aria-hidden": "true" }),
		el("figcaption", { id: "map-summary" }), el("div")];

	function show() {
		part?.destroy();
		const name = `${line.label} of each ${job.kind}`;
		part = makeMap({ job, line, range, timeline, title: name });
		title.textContent = name;
		scale.replaceChildren("0 ", el("span", { class: "ramp-bar" }), ` ${quantity(line.most().value, line.unit)}`);
		summary.textContent = mapSummary(job, line, range) + (part.shared > 1
			? ` Up to ${part.shared} ${job.kind}s share a line of the map: it shows the one that is farthest from the median rank.` : "");
		body.replaceChildren(part.node, part.readout);
	}
	show();
	const quantities = job.map.lines.map(({ key, label }) => ({ value: key, label }));
	const nodes = [{ value: "", label: "all" }, ...job.nodes.map(({ name, ranks }, i) =>
		({ value: String(i), label: `${name} (${counted(ranks, job.kind, `${job.kind}s`)})` }))];
	const choices = el("div", { class: "choices" },
		choice("Quantity", "map-quantity", quantities, line.key, (key) => {
			line = job.map.lines.find((one) => one.key === key);
			show();
		}),
		job.nodes.length > 1 ? choice("Node", "map-node", nodes, "", (index) => {
			const { first = 0, ranks = job.ranks.length } = index === "" ? {} : job.nodes[Number(index)];
			range = [first, first + ranks];
			show();
		}) : null);
	const node = el("figure", { class: "chart", id: "map" },
		el("div", { class: "chart-bar" }, title, scale, el("span", { class: "actions" },
			button("CSV", () => saveMap(job, line, range), { class: "quiet", "aria-label": "Save the map as CSV" }),
			...pictureButtons({ title: "the map", file: "map", picture: (colourOf) => part.picture(colourOf) }))),
		summary, body);
	return { node: el("div", {}, choices, node) };
}
