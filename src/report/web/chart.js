// chart.js - a chart of lines over the time, with its legend, its summary in words, and its table.
import { paintBand, through } from "./band.js";
import { lineTable, saveCsv } from "./csv.js";
import { button, el } from "./element.js";
import { axisLabels, moment, quantity, stepsOf, UNIT_WORDS } from "./format.js";
import { makeLegend } from "./legend.js";
import { paintMarks } from "./marks.js";
import { makePlot } from "./plot.js";
import { announce } from "./speech.js";
import { stack, statistics, topOf } from "./statistics.js";
import { makeTable } from "./table.js";
import { colour } from "./theme.js";
import uPlot from "uplot";

const DWARFS = 8;               // so many times the job's highest
const LIMIT_IN_SIGHT = 1.6;     // a limit is shown if it is at most so many times the highest value

const steppedPath = uPlot.paths.stepped({ align: -1 });

// The data for uPlot: one time axis for all lines, from 0.  A rate holds since the bucket began, so it starts at 0;
// undefined (a moment of another line) connects, null (unknown) makes a gap.
function aligned(lines) {
	const different = [...new Set(lines.map((line) => line.times))];
	const union = different.length === 1 ? different[0]
		: [...new Set(different.flat())].sort((a, b) => a - b);
	const start = union[0] > 0;
	const place = different.length === 1 ? null : new Map(union.map((t, i) => [t, i]));
	const ys = lines.map((line) => {
		const values = place ? new Array(union.length).fill(undefined) : line.mean;
		if (place)
			line.times.forEach((t, i) => { values[place.get(t)] = line.mean[i]; });
		return start ? [line.average ? line.mean[0] : undefined, ...values] : values;
	});
	return [start ? [0, ...union] : union, ...ys];
}

// Lines of more than the job, such as the machine's, are off at first if they would flatten the job's.
function hideDwarfing(lines, timeline) {
	const drawn = lines.filter((line) => line.style !== "limit");
	const top = (line) => topOf(line, timeline.window);
	const job = Math.max(0, ...drawn.filter((line) => line.owner === "job").map(top));
	const hidden = drawn.filter((line) => line.owner !== "job" && job > 0 && top(line) > DWARFS * job);
	hidden.forEach((line) => { line.hidden = true; });
	return hidden;
}

// Names stay as they are; other labels begin with a capital letter here.
const named = ({ label, isName }) => (isName ? label : label[0].toUpperCase() + label.slice(1));

// The chart's content in words, for screen readers and as a caption.
export function summaryOf(lines, timeline, hidden = []) {
	const visible = lines.filter((line) => line.style !== "limit" && !hidden.includes(line));
	const own = visible.filter((line) => line.owner === "job");
	const sentences = (own.length ? own : visible).slice(0, 2).map((line) => {
		const { mean, highest, highestAt } = statistics(line, timeline.window);
		const name = named(line);
		if (highest === null)
			return `${name}: not known.`;
		if (highest === 0)
			return `${name}: always 0.`;
		const [average, most] = [mean, highest].map((value) => quantity(value, line.unit));
		return `${name}: ${average} on average, at most ${most} at ${moment(highestAt)}.`;
	});
	for (const line of lines.filter((one) => one.style === "limit"))
		sentences.push(`${named(line)}: ${quantity(statistics(line, timeline.window).highest, line.unit)}.`);
	if (hidden.length)
		sentences.push(`Off at first, because many times higher: ${hidden.map(({ label }) => label).join(", ")}.`);
	return sentences.join(" ");
}

// The upper end of the axis: some space above the highest value, but at most 100 % of a share.
function roof(top, unit) {
	return unit === "share" && top > 0.9 && top <= 1.001 ? 1 : top * 1.08 || 1;
}

const FLAT_HEIGHT = 84;         // of a chart without any value above 0
const legendHeight = (lines) => 26 * lines.length + 22;

// makeChart({ id, title, lines, marks?, timeline, stacked?, height?, file }) -> { node, destroy() }
export function makeChart({ id, title, note, lines, marks = [], timeline, stacked = false, height = 190, file }) {
	const unit = lines[0].unit;
	const hidden = stacked ? [] : hideDwarfing(lines, timeline);
	const visible = () => lines.filter((line) => !line.hidden);
	const isFlat = lines.every((line) => topOf(line, timeline.window) === 0);
	let layers = stacked ? stack(visible()) : [];

	function top() {
		const window = timeline.window;
		if (stacked) {
			const sum = layers.at(-1);
			return sum ? topOf({ times: lines[0].times, mean: sum.high }, window) : 0;
		}
		let highest = 0;
		for (const line of visible().filter((one) => one.style !== "limit"))
			highest = Math.max(highest, topOf(line, window));
		for (const mark of marks)
			if (mark.at === null || (mark.at >= window[0] && mark.at <= window[1]))
				highest = Math.max(highest, mark.value ?? 0);
		for (const line of visible().filter((one) => one.style === "limit")) {
			const limit = topOf(line, window);
			if (highest === 0 || limit <= LIMIT_IN_SIGHT * highest)
				highest = Math.max(highest, limit);
		}
		return highest;
	}

	function paintBelow(u) {
		if (stacked) {
			visible().forEach((line, i) => paintBand(u, {
				times: line.times, ...layers[i], stepped: line.average,
				fill: through(colour(line.colour), 0.8),
			}));
			return;
		}
		for (const line of visible()) {
			const band = (low, high, alpha, more) => paintBand(u, {
				times: line.times, stepped: line.average, low, high, fill: through(colour(line.colour), alpha),
				...more,
			});
			if (line.style === "area")
				band(0, line.mean, 0.14);
			if (line.low && line.high)
				band(line.low, line.high, 0.2);
			if (line.min && line.max)
				band(line.min, line.max, 0.16, { edge: through(colour(line.colour), 0.55), edgeWidth: 0.75 });
		}
	}

	const plot = makePlot({
		label: `${title}, ${lines.length} ${lines.length === 1 ? "line" : "lines"} over time`, timeline,
		height: isFlat ? FLAT_HEIGHT : Math.max(height, Math.min(legendHeight(lines), 320)),
		describedBy: `${id}-summary keys`,
		times: lines[0].times,
		data: stacked ? [[0, timeline.end]] : aligned(lines),
		series: stacked ? [] : lines.map((line) => ({
			show: !line.hidden, stroke: () => colour(line.colour), width: line.style === "limit" ? 1.25 : 1.5,
			dash: line.dash, paths: line.average ? steppedPath : undefined,
			points: { show: line.times.length < 3 && !line.average },
		})),
		yRange: () => [0, roof(top(), unit)],
		yAxis: { incrs: stepsOf(unit), values: (_, at) => axisLabels(at, unit) },
		paintBelow, paintAbove: (u) => paintMarks(u, marks),
		onKeys: () => announce(`at ${moment(timeline.cursor ?? 0)}: ${legend.text()}`),
	});

	const legend = makeLegend({
		lines, timeline, caption: title,
		onToggle(i, on) {
			if (stacked) {
				layers = stack(visible());
				plot.refresh();
			} else {
				plot.show(i, on);
			}
		},
	});
	legend.update();

	const data = el("div", { class: "chart-data", hidden: true });
	function showTable() {
		data.hidden = !data.hidden;
		tableButton.setAttribute("aria-expanded", String(!data.hidden));
		if (data.childElementCount)
			return;
		const { columns, labels, units, rows } = lineTable(lines);
		data.append(makeTable({
			title: `${title}: all values`, file: `${file}-${id}`, rows, firstRows: 20,
			columns: columns.map((name, i) => ({ name, label: labels[i], unit: units[i] })),
		}));
	}
	const tableButton = button("Table", showTable,
		{ class: "quiet", "aria-expanded": "false", "aria-label": `Table of ${title}` });
	const summary = el("figcaption", { id: `${id}-summary` }, summaryOf(lines, timeline, hidden));
	const stop = timeline.listen(() => {
		legend.update();
		summary.textContent = summaryOf(lines, timeline, hidden);
	});

	const node = el("figure", { class: "chart", id },
		el("div", { class: "chart-bar" }, el("h3", {}, title),
			el("span", { class: "unit" }, note ?? UNIT_WORDS[unit] ?? unit),
			el("span", { class: "actions" }, tableButton, button("CSV", () => {
				const { columns, rows } = lineTable(lines);
				saveCsv(`${file}-${id}`, columns, rows);
			}, { class: "quiet", "aria-label": `Save ${title} as CSV` }))),
		summary,
		el("div", { class: "chart-body" }, plot.node, legend.node),
		data);
	return {
		node,
		destroy() {
			stop();
			plot.destroy();
		},
	};
}
