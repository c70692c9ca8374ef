// runs_view.js - several runs: a comparison, how evenly they used resources, and one of them in full.
import { quantitiesOf } from "./balance.js";
import { outcomeBadge, runHead } from "./cards.js";
import { makeChart } from "./chart.js";
import { CHARTS } from "./chart_list.js";
import { quantityLines } from "./data.js";
import { el } from "./element.js";
import { makeMultiples } from "./multiples.js";
import { makeRunView } from "./run_view.js";
import { balancePart, runTable } from "./runs_tables.js";

const MOST_OVERLAID = 6;

const options = (choices, chosen) => choices.map(({ value, label }) =>
	el("option", { value, selected: value === chosen }, label));

function choice(label, id, choices, chosen, onchange) {
	const select = el("select", { id, onchange: () => onchange(select.value) }, ...options(choices, chosen));
	return el("span", { class: "choice" }, el("label", { for: id }, label), select);
}

// One chart for each kind, of one quantity at a time.
function comparisonChart(runs, one, quantities, timeline, layout) {
	const choices = quantities.filter((other) => other.chart === one.chart);
	const own = choices.filter((other) => other.owner === "job");
	const first = own.find((other) => !other.values.includes(null)) ?? own[0] ?? choices[0];
	const holder = el("div");
	let part = null;
	function show(key) {
		const lines = quantityLines(runs, one.chart, key);
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
	let parts = [];
	function show(layout) {
		parts.forEach((part) => part.destroy());
		parts = CHARTS.filter(({ chart }) => quantities.some((other) => other.chart === chart))
			.map((one) => comparisonChart(runs, one, quantities, timeline, layout));
		holder.replaceChildren(...parts.map((part) => part.node));
	}
	const first = runs.length > MOST_OVERLAID ? "apart" : "overlaid";
	show(first);
	const layouts = [{ value: "overlaid", label: "in one picture" }, { value: "apart", label: "each in its own" }];
	return el("div", {}, choice("Show the runs", "layout", layouts, first, show), holder);
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
	const together = quantities.length ? [hint, comparison(runs, quantities, timeline)]
		: [el("p", { class: "absent" }, "None of these runs has samples, so there is nothing to draw.")];
	const parts = [
		{ id: "section-runs", title: "Runs", nodes: [runTable(runs)] },
		{ id: "section-together", title: "Over time", nodes: together },
		{ id: "section-balance", title: "Balance", nodes: balancePart(runs, quantities) },
		{ id: "section-details", title: "One run in full", nodes: [details(runs, timeline)] },
	];
	return {
		head: runsHead(runs), top: null, hasPlots: quantities.length > 0, sections: parts.map(({ id, title }) => ({ id, title })),
		node: el("div", {}, ...parts.map(({ id, title, nodes }) =>
			el("section", { class: "part", id, "aria-labelledby": `${id}-title` },
				el("h2", { id: `${id}-title` }, title), ...nodes))),
	};
}
