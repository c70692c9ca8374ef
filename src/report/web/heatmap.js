// heatmap.js - the load of each core: a row for each core, darker (or brighter) for more load.
import { saveCsv } from "./csv.js";
import { button, el } from "./element.js";
import { moment } from "./clock.js";
import { counted, quantity } from "./format.js";
import { barPicture } from "./picture.js";
import { pictureButtons } from "./picture_buttons.js";
import { makePlot } from "./plot.js";
import { hexOf, ramp, shadeOf } from "./ramp.js";
import { announce } from "./speech.js";
import { bucketAt, bucketsIn } from "./statistics.js";
import { onThemeChange } from "./theme.js";

const rowHeight = (count) => Math.min(Math.max(Math.floor(240 / count), 3), 20);

// A row is one core; on a machine with very many, several adjacent ones.
const rowName = (row, together, count) => (together === 1 ? `Core ${row}`
	: `Cores ${row * together}–${Math.min((row + 1) * together, count) - 1}`);

// busyOf(1, 8, 1) -> "1 of 8 cores was"
const busyOf = (busy, all, together) => `${busy} of ${together > 1 ? counted(all, "row", "rows") : counted(all, "core", "cores")} ` +
	(busy === 1 ? "was" : "were");

// The map's content in words: how the load was distributed over the cores.
export function coresSummary({ count, usage, cores_in_line: together = 1 }, times) {
	const means = usage.map((values) => {
		const known = values.filter((value) => value !== null);
		return known.length ? known.reduce((sum, value) => sum + value, 0) / known.length : null;
	});
	const known = means.filter((mean) => mean !== null);
	if (!known.length || !times.length)
		return "Nothing is known of single cores.";
	const busiest = means.indexOf(Math.max(...known));
	const used = known.filter((mean) => mean >= 0.05).length;
	const grouped = together > 1 ? ` Each row is the mean of ${together} cores.` : "";
	return `${busyOf(used, usage.length, together)} busy for 5 % of the time or more. ` +
		`The busiest, ${rowName(busiest, together, count).toLowerCase()}, was busy for ` +
		`${quantity(means[busiest], "share")} of it.${grouped}`;
}

// makeHeatmap({ id, title, cores: { count, cores_in_line?, usage }, times, timeline, file }) -> { node, destroy() }
export function makeHeatmap({ id, title, cores, times, timeline, file }) {
	const { usage, cores_in_line: together = 1 } = cores;
	const count = usage.length;     // of rows
	let colours = ramp().map(hexOf);
	let pointedCore = null;
	const forget = onThemeChange(() => { colours = ramp().map(hexOf); });

	function paint(u) {
		const { ctx } = u;
		const [first, last] = bucketsIn(times, timeline.window);
		const edges = Array.from({ length: count + 1 }, (_, row) => Math.round(u.valToPos(row, "y", true)));
		const gap = rowHeight(count) > 5 ? 1 : 0;
		for (let i = first; i <= last; i++) {
			const left = Math.round(u.valToPos(i > 0 ? times[i - 1] : 0, "x", true));
			const width = Math.max(Math.round(u.valToPos(times[i], "x", true)) - left, 1);
			for (let row = 0; row < count; row++) {
				const value = usage[row][i] ?? null;
				if (value === null)
					continue;
				ctx.fillStyle = colours[shadeOf(value)];
				ctx.fillRect(left, edges[row], width, Math.max(edges[row + 1] - edges[row] - gap, 1));
			}
		}
	}

	// The map as bars, neighbours of one colour as one.
	function cells() {
		return usage.flatMap((values, lane) => {
			const bars = [];
			values.forEach((value, i) => {
				if (value === null)
					return;
				const [start, shade] = [i > 0 ? times[i - 1] : 0, colours[shadeOf(value)]];
				const last = bars.at(-1);
				if (last && last.end === start && last.colour === shade)
					last.end = times[i];
				else
					bars.push({ start, end: times[i], lane, name: "", colour: shade });
			});
			return bars;
		});
	}

	const readout = el("p", { class: "readout" });
	function readoutText() {
		const { cursor } = timeline;
		const i = cursor === null ? -1 : bucketAt(times, cursor);
		if (i < 0)
			return "Point at a place to read it.";
		if (pointedCore !== null)
			return `${rowName(pointedCore, together, cores.count)} at ${moment(cursor)}: ` +
				`${quantity(usage[pointedCore][i] ?? null, "share")} busy`;
		const busy = usage.filter((values) => (values[i] ?? 0) >= 0.5).length;
		return `At ${moment(cursor)}: ${busyOf(busy, count, together)} busy for half of the time or more`;
	}

	const height = count * rowHeight(count) + 34;
	const every = Math.ceil(12 / rowHeight(count));
	const step = [1, 2, 4, 8, 16, 32, 64, 128].find((n) => n >= every) ?? 256;
	const plot = makePlot({
		label: `${title}, a map of ${counted(cores.count, "core", "cores")} over time`, describedBy: `${id}-summary keys`,
		timeline, times: () => times, height, yRange: () => [0, count],
		yAxis: {
			dir: -1, grid: { show: false }, ticks: { show: false },
			splits: () => Array.from({ length: Math.ceil(count / step) }, (_, i) => i * step + 0.5),
			values: (_, at) => at.map((v) => `core ${Math.floor(v) * together}`),
		},
		paintBelow: paint,
		onPoint(_, y) {
			pointedCore = y === null ? null : Math.min(Math.max(Math.floor(y), 0), count - 1);
			readout.textContent = readoutText();
		},
		onKeys() {
			pointedCore = null;
			announce(readoutText());
		},
	});
	const stop = timeline.listen(({ cursor }) => {
		if (cursor === null)
			pointedCore = null;
		readout.textContent = readoutText();
	});
	readout.textContent = readoutText();

	const scale = el("span", { class: "ramp", "aria-hidden": "true" },
		"idle ", el("span", { class: "ramp-bar" }), " busy");
	const save = () => saveCsv(`${file}-${id}`, ["time_seconds", ...usage.map((_, row) => `core_${row * together}`)],
		times.map((t, i) => [t, ...usage.map((values) => values[i] ?? null)]));
	const node = el("figure", { class: "chart", id },
		el("div", { class: "chart-bar" }, el("h3", {}, title), scale, el("span", { class: "actions" },
			button("CSV", save, { class: "quiet", "aria-label": `Save ${title} as CSV` }), ...pictureButtons({
				title, file: `${file}-${id}`, picture: (colourOf) => barPicture({
					title, bars: cells(), lanes: count, window: timeline.window, laneHeight: Math.max(rowHeight(count), 4) }, colourOf),
			}))),
		el("figcaption", { id: `${id}-summary` }, coresSummary(cores, times)),
		el("div", { class: "chart-body" }, plot.node), readout);
	return {
		node,
		destroy() {
			forget();
			stop();
			plot.destroy();
		},
	};
}
