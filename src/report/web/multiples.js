// multiples.js - one small chart for each run, all with the same scale, so that differences are visible.
import { paintBand, through } from "./band.js";
import { lineTable, saveCsv } from "./csv.js";
import { button, el } from "./element.js";
import { moment } from "./clock.js";
import { axisLabels, quantity, stepsOf } from "./format.js";
import { makePlot } from "./plot.js";
import { announce } from "./speech.js";
import { bucketAt, statistics, topOf } from "./statistics.js";
import { colour } from "./theme.js";
import { showWindow } from "./tiers.js";

const HEIGHT = 110;

function small(line, { id, timeline, top }) {
	const value = el("span", { class: "value" });
	function update() {
		const { cursor, window } = timeline;
		showWindow([line], window);
		const i = cursor === null ? -1 : bucketAt(line.times, cursor);
		const { mean, highest } = statistics(line, window);
		value.textContent = i >= 0 ? quantity(line.mean[i], line.unit)
			: `mean ${quantity(mean, line.unit)}, max ${quantity(highest, line.unit)}`;
	}
	const plot = makePlot({
		label: `${line.label} over time`, describedBy: "keys", timeline, times: () => line.times, height: HEIGHT, gutter: 56,
		yRange: () => [0, top()],
		yAxis: { incrs: stepsOf(line.unit), values: (_, at) => axisLabels(at, line.unit) },
		paintBelow(u) {
			const ink = colour("series-1");
			const common = { times: line.times, stepped: line.average };
			if (line.min && line.max)
				paintBand(u, {
					...common, low: line.min, high: line.max,
					fill: through(ink, 0.16), edge: through(ink, 0.55), edgeWidth: 0.75,
				});
			paintBand(u, { ...common, low: 0, high: line.mean, fill: through(ink, 0.14), edge: ink, edgeWidth: 1.25 });
		},
		onKeys: () => announce(`${line.label} at ${moment(timeline.cursor ?? 0)}: ${value.textContent}`),
	});
	update();
	return {
		node: el("div", { class: "multiple", id }, el("h4", {}, line.label), el("p", {}, value), plot.node),
		stop: [timeline.listen(update), plot.destroy],
	};
}

// makeMultiples({ id, title, lines: one for each run, timeline, file }) -> { node, destroy() }
export function makeMultiples({ id, title, lines, timeline, file }) {
	// The common scale, computed once for each window.
	let [window, highest] = [null, 1];
	const top = () => {
		showWindow(lines, timeline.window);
		if (window !== timeline.window)
			[window, highest] = [timeline.window, Math.max(...lines.map((line) => topOf(line, timeline.window))) * 1.08 || 1];
		return highest;
	};
	const charts = lines.map((line, i) => small(line, { id: `${id}-${i}`, timeline, top }));
	const means = lines.map((line) => statistics(line, timeline.window).mean).filter((mean) => mean !== null);
	const [least, most] = [Math.min(...means), Math.max(...means)].map((mean) => quantity(mean, lines[0].unit));
	const summary = means.length ? `Means lie between ${least} and ${most}. All pictures have the same scale.`
		: "Nothing is known of this quantity.";
	const save = () => {
		const { columns, rows } = lineTable(lines);
		saveCsv(`${file}-${id}`, columns, rows);
	};
	const node = el("figure", { class: "chart", id },
		el("div", { class: "chart-bar" }, el("h3", {}, title), el("span", { class: "actions" },
			button("CSV", save, { class: "quiet", "aria-label": `Save ${title} as CSV` }))),
		el("figcaption", {}, summary), el("div", { class: "multiples" }, ...charts.map((chart) => chart.node)));
	return { node, destroy: () => charts.forEach((chart) => chart.stop.forEach((stop) => stop())) };
}
