// chart.js - a chart of lines over the time, with its legend, its summary in words, and its table.
import { paintBand, through } from "./band.js";
import { paintBands } from "./band_paint.js";
import { bandAt, bandsNote } from "./bands.js";
import { lineTable, saveCsv } from "./csv.js";
import { button, el } from "./element.js";
import { moment } from "./clock.js";
import { axisLabels, quantity, stepsOf, UNIT_WORDS } from "./format.js";
import { makeLegend } from "./legend.js";
import { paintMarks } from "./marks.js";
import { makePlot } from "./plot.js";
import { linePicture } from "./picture.js";
import { pictureButtons } from "./picture_buttons.js";
import { announce } from "./speech.js";
import { stack, statistics, topOf } from "./statistics.js";
import { makeTable } from "./table.js";
import { colour } from "./theme.js";
import { showWindow } from "./tiers.js";
import { makeTip } from "./tip.js";
import uPlot from "uplot";

const NO_BANDS = { lanes: [], marks: [] };
const SPOKEN_AFTER_MS = 150;
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

// Names stay as they are; other labels begin with a capital letter here.
const named = ({ label, isName }) => (isName ? label : label[0].toUpperCase() + label.slice(1));

// The visible lines in words, for screen readers: true of the part of the time that is shown.
export function summaryOf(lines, timeline) {
	const visible = lines.filter((line) => line.style !== "limit" && !line.hidden);
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
	for (const line of lines.filter((one) => one.style === "limit" && !one.hidden))
		sentences.push(`${named(line)}: ${quantity(statistics(line, timeline.window).highest, line.unit)}.`);
	const off = lines.filter((line) => line.hidden);
	if (off.length)
		sentences.push(`Not shown: ${off.map(({ label }) => label).join(", ")}.`);
	return sentences.join(" ");
}

// The upper end of the axis: some space above the highest value, but at most 100 % of a share.
function roof(top, unit) {
	return unit === "share" && top > 0.9 && top <= 1.001 ? 1 : top * 1.08 || 1;
}

// makeChart({ id, title, lines, zero?, marks?, bands?, timeline, stacked?, height?, file }) -> { node, update(), destroy() }
// update({ lines, marks }) gives the same lines other values.
// zero: lines that are always 0, which are only named.  A line with `hidden` is off at first.
export function makeChart({
	id, title, note, lines, zero = [], marks = [], bands = NO_BANDS, timeline, stacked = false, height = 190, file,
}) {
	const unit = lines[0].unit;
	const visible = () => lines.filter((line) => !line.hidden);
	let layers = [];
	let data = null;                // what uPlot draws of the lines as they are; null: to be made
	let spoken = null;              // a timer: the summary is of another part
	let spokenOf = timeline.window;

	// Gives the lines the values of the visible part.
	function fit() {
		if (!showWindow(lines, timeline.window) && data)
			return data;
		if (stacked)
			layers = stack(visible());
		data = stacked ? [[0, 1]] : aligned(lines);
		return data;
	}

	function speak() {
		clearTimeout(spoken);
		spoken = null;
		if (plot.isDrawn)
			fit();
		summary.textContent = summaryOf(lines, timeline);
	}

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
		paintBands(u, bands);
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

	let legend = null;
	const plot = makePlot({
		label: `${title}, ${lines.length} ${lines.length === 1 ? "line" : "lines"} over time`, timeline,
		height,
		describedBy: `${id}-summary keys`,
		times: () => lines[0].times,
		data: fit,
		series: stacked ? [] : lines.map((line) => ({
			show: !line.hidden, stroke: () => colour(line.colour), width: line.style === "limit" ? 1.25 : 1.5,
			dash: line.dash, paths: line.average ? steppedPath : undefined,
			points: { show: line.times.length < 3 && !line.average },
		})),
		yRange: () => [0, roof(top(), unit)],
		yAxis: { incrs: stepsOf(unit), values: (_, at) => axisLabels(at, unit) },
		paintBelow, paintAbove: (u) => paintMarks(u, marks),
		onFollow: () => legend?.update(),
		onKeys: () => announce(`at ${moment(timeline.cursor ?? 0)}: ${legend.text()}`),
		onPoint(at, _, place) {
			if (at === null)
				tip.hide();
			else
				tip.show({ at, ...place, lines, also: bandsNote(bands, at) });
		},
		onClick(at) {
			const band = bandAt(bands, at, timeline.window);
			if (band)
				timeline.setWindow(band.start, band.end);
		},
	});
	const tip = makeTip();

	legend = makeLegend({
		lines, timeline, caption: title,
		onToggle(i, on) {
			speak();
			if (stacked)
				data = null;
			else
				plot.show(i, on);
			plot.refresh();
		},
	});
	legend.update();

	const values = el("div", { class: "chart-data", hidden: true });
	function showTable() {
		values.hidden = !values.hidden;
		tableButton.setAttribute("aria-expanded", String(!values.hidden));
		if (values.hidden)
			return;
		fit();
		const { columns, labels, units, rows } = lineTable(lines);
		values.replaceChildren(makeTable({
			title: `${title}: all values`, file: `${file}-${id}`, rows, firstRows: 20, isDetail: true,
			columns: columns.map((name, i) => ({ name, label: labels[i], unit: units[i] })),
		}));
	}
	const tableButton = button("Table", showTable,
		{ class: "quiet", "aria-expanded": "false", "aria-label": `Table of ${title}` });
	const summary = el("figcaption", { id: `${id}-summary`, class: "unseen" }, summaryOf(lines, timeline));
	// A screen reader wants the sentence when the part stands still.
	const stop = timeline.listen(({ window }) => {
		if (window !== spokenOf) {
			spokenOf = window;
			clearTimeout(spoken);
			spoken = setTimeout(speak, SPOKEN_AFTER_MS);
		}
	});

	const node = el("figure", { class: "chart", id },
		el("div", { class: "chart-bar" }, el("h3", {}, title),
			el("span", { class: "unit" }, note ?? UNIT_WORDS[unit] ?? unit),
			el("span", { class: "actions" }, tableButton, button("CSV", () => {
				fit();
				const { columns, rows } = lineTable(lines);
				saveCsv(`${file}-${id}`, columns, rows);
			}, { class: "quiet", "aria-label": `Save ${title} as CSV` }), ...pictureButtons({
				title, file: `${file}-${id}`, picture(colourOf) {
					fit();
					return linePicture({
						title, note: note ?? UNIT_WORDS[unit] ?? unit, lines: visible(), layers: stacked ? layers : null, bands,
						window: timeline.window, top: roof(top(), unit), unit,
					}, colourOf);
				},
			}))),
		summary,
		el("div", { class: "chart-body" }, plot.node, tip.node), legend.node,
		zero.length ? el("p", { class: "always-zero" }, `Always 0: ${zero.map(({ label }) => label).join("; ")}.`) : null,
		values);
	return {
		node,
		update(now) {
			lines.forEach((line, i) => Object.assign(line, now.lines[i], { hidden: line.hidden, part: undefined }));
			marks.splice(0, marks.length, ...(now.marks ?? []));
			data = null;
			legend.forget();
			plot.refresh();
			speak();
		},
		destroy() {
			legend.release();
			clearTimeout(spoken);
			stop();
			plot.destroy();
		},
	};
}
