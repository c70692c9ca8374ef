// runs_view.js - several runs: a comparison, how evenly they used resources, and one of them in full.
import { quantitiesOf, ranAtOnce } from "./balance.js";
import { outcomeBadge, runHead } from "./cards.js";
import { makeChart } from "./chart.js";
import { CHARTS } from "./chart_list.js";
import { choice } from "./choice.js";
import { endOf, quantityLines } from "./data.js";
import { el } from "./element.js";
import { makeMultiples } from "./multiples.js";
import { makeRunView } from "./run_view.js";
import { sharedRegions, shiftsOf } from "./differences.js";
import { differencesPart } from "./differences_table.js";
import { balancePart, runTable } from "./runs_tables.js";

const MOST_OVERLAID = 6;

// One chart for each kind, of one quantity at a time.
function comparisonChart(runs, one, quantities, timeline, layout, shifts) {
	const choices = quantities.filter((other) => other.chart === one.chart);
	const own = choices.filter((other) => other.owner === "job");
	const first = own.find((other) => !other.values.includes(null)) ?? own[0] ?? choices[0];
	const holder = el("div");
	let part = null;
	function show(key) {
		const lines = quantityLines(runs, one.chart, key, shifts);
		const title = `${one.title}: ${lines[0].quantity}`;
		const context = { id: `runs-${one.chart}`, title, lines, timeline, file: "runs" };
		part?.destroy();
		part = layout === "overlaid" ? makeChart(context) : makeMultiples(context);
		holder.replaceChildren(part.node);
	}
	show(first.key);
	const chooser = choices.length > 1 ? choice("Quantity", `quantity-${one.chart}`,
		choices.map(({ key, label }) => ({ value: key, label })), first.key, show) : null;
	return { node: el("div", { class: "compared" }, chooser, holder), destroy: () => part.destroy() };
}

function comparison(runs, quantities, timeline) {
	const holder = el("div");
	const regions = sharedRegions(runs);
	let parts = [];
	let [layout, shifts] = [runs.length > MOST_OVERLAID ? "apart" : "overlaid", runs.map(() => 0)];
	function show() {
		parts.forEach((part) => part.destroy());
		parts = CHARTS.filter(({ chart }) => quantities.some((other) => other.chart === chart))
			.map((one) => comparisonChart(runs, one, quantities, timeline, layout, shifts));
		holder.replaceChildren(...parts.map((part) => part.node));
	}
	show();
	const layouts = [{ value: "overlaid", label: "in one picture" }, { value: "apart", label: "each in its own" }];
	const places = [{ value: "", label: "their start" }, ...regions.map(({ name }, i) => ({ value: String(i), label: `the begin of ${name}` }))];
	function align(place) {
		shifts = place === "" ? runs.map(() => 0) : shiftsOf(regions[Number(place)].begins);
		timeline.setEnd(Math.max(...runs.map((run, i) => shifts[i] + endOf(run))));
		show();
	}
	return el("div", {}, el("div", { class: "choices" },
		choice("Show the runs", "layout", layouts, layout, (value) => {
			layout = value;
			show();
		}), regions.length ? choice("Align them at", "align", places, "", align) : null), holder);
}

function details(runs, timeline) {
	const holder = el("div");
	let view = null;
	function show(index) {
		view?.destroy();
		const run = runs[index];
		view = makeRunView(run, timeline);
		holder.replaceChildren(runHead(run, "h2"), view.top, view.node);
	}
	// Start with the first failed run, the most likely one to be examined.
	const first = Math.max(runs.findIndex((run) => run.outcome === "failed"), 0);
	show(first);
	const choices = runs.map((run, i) => ({ value: String(i), label: run.title }));
	return el("div", {}, choice("Run", "run", choices, String(first), (value) => show(Number(value))), holder);
}

function runsHead(runs) {
	const names = [...new Set(runs.map((run) => run.name))];
	const outcomes = [...new Set(runs.map((run) => run.outcome ?? "unknown"))];
	return el("header", { class: "run-head" }, el("div", { class: "run-title" },
		el("h1", {}, `${runs.length} runs${names.length === 1 && names[0] ? ` of ${names[0]}` : ""}`),
		...outcomes.map((outcome) => el("span", { class: "counted" }, outcomeBadge(outcome),
			` ${runs.filter((run) => (run.outcome ?? "unknown") === outcome).length}`))));
}

// makeRunsView(runs, timeline, hint?) -> { head, node, hasPlots, sections }
export function makeRunsView(runs, timeline, hint = null) {
	const quantities = quantitiesOf(runs, CHARTS, timeline.window);
	const together = quantities.length ? [comparison(runs, quantities, timeline), hint]
		: [el("p", { class: "absent" }, "None of these runs has samples, so there is nothing to draw.")];
	const parts = [
		{ id: "section-runs", title: "Runs", nodes: [runTable(runs)] },
		{ id: "section-together", title: "Over time", nodes: together },
		...(runs.length <= MOST_OVERLAID && !ranAtOnce(runs) ? [{ id: "section-differences", title: "Differences", nodes: [differencesPart(runs, choice)] }] : []),
		...(ranAtOnce(runs) ? [{ id: "section-balance", title: "Balance", nodes: balancePart(runs, quantities) }] : []),
		{ id: "section-details", title: "One run in full", nodes: [details(runs, timeline)] },
	];
	return {
		head: runsHead(runs), top: null, hasPlots: quantities.length > 0, sections: parts.map(({ id, title }) => ({ id, title })),
		node: el("div", {}, ...parts.map(({ id, title, nodes }) =>
			el("section", { class: "part", id, "aria-labelledby": `${id}-title` },
				el("h2", { id: `${id}-title` }, title), ...nodes))),
	};
}
