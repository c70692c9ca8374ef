// runs_view.js - several runs: one beside the other, how even they were, and one of them in full.
import { balance, sharedQuantities } from "./balance.js";
import { outcomeBadge, runHead } from "./cards.js";
import { makeChart } from "./chart.js";
import { quantityLines } from "./data.js";
import { el } from "./element.js";
import { dateTime, number, quantity } from "./format.js";
import { makeMultiples } from "./multiples.js";
import { CHARTS, makeRunView } from "./run_view.js";
import { makeTable } from "./table.js";

const MOST_OVERLAID = 6;

const options = (choices, chosen) => choices.map(({ value, label }) =>
	el("option", { value, selected: value === chosen }, label));

function choice(label, id, choices, chosen, onchange) {
	const select = el("select", { id, onchange: () => onchange(select.value) }, ...options(choices, chosen));
	return el("span", { class: "choice" }, el("label", { for: id }, label), select);
}

const durationOf = (run) => run.duration_seconds ?? null;

function runTable(runs, quantities) {
	const of = (chart) => quantities.find((one) => one.chart === chart && one.owner === "job") ??
		quantities.find((one) => one.chart === chart);
	const [cpu, memory] = [of("cpu"), of("memory")];
	return makeTable({
		title: "The runs", file: "runs", firstRows: 40,
		columns: [
			{ name: "run", label: "Run", unit: "text" }, { name: "outcome", label: "Outcome", unit: "text" },
			{ name: "started", label: "Started", unit: "text" }, { name: "duration_seconds", label: "Duration", unit: "s" },
			...(cpu ? [{ name: "cpu_cores", label: "CPU on average", unit: cpu.unit }] : []),
			...(memory ? [{ name: "memory_bytes", label: "Peak memory", unit: memory.unit }] : []),
			{ name: "record", label: "Record", unit: "text" },
		],
		rows: runs.map((run, i) => [run.title, run.outcome ?? "unknown", run.started_at ? dateTime(run.started_at) : null,
			durationOf(run), ...(cpu ? [cpu.values[i]] : []), ...(memory ? [memory.values[i]] : []), run.id ?? null]),
	});
}

// -> a sentence about the least even quantity, and the table of all.
function balancePart(runs, quantities) {
	const own = quantities.filter((one) => one.owner === "job");
	const all = [{ title: "Duration", label: "", unit: "s", measure: "whole", values: runs.map(durationOf) }, ...(own.length ? own : quantities)]
		.map((one) => ({ ...one, ...balance(one.values), name: one.label ? `${one.title}: ${one.label}` : one.title }))
		.filter((one) => one.ratio);
	if (!all.length)
		return [el("p", { class: "absent" }, "Nothing is known of two of these runs, so they cannot be weighed.")];
	const main = ["cpu", "memory"].map((chart) => all.find((one) => one.chart === chart)).filter(Boolean);
	const worst = main.sort((a, b) => b.ratio - a.ratio)[0] ?? all[0];
	return [
		el("p", { class: "lead" }, `1 means that all runs had the same; ${runs.length} that one had everything. ` +
			`${worst.name}: the highest is ${number(worst.ratio)} times the mean (${runs[worst.at].title}).`),
		makeTable({
			title: "Balance", file: "balance", sort: null, firstRows: 20,
			columns: [
				{ name: "quantity", label: "Quantity", unit: "text" }, { name: "measure", label: "Of each run", unit: "text" },
				{ name: "imbalance", label: "Max / mean", unit: "ratio" }, { name: "highest_run", label: "Highest", unit: "text" },
				...["lowest", "mean", "highest"].map((name) => ({ name, label: name[0].toUpperCase() + name.slice(1), unit: "text" })),
			],
			rows: all.map((one) => [one.name, one.measure ?? (one.average ? "mean" : "peak"), one.ratio, runs[one.at].title,
				...[one.lowest, one.mean, one.highest].map((value) => quantity(value, one.unit))]),
		}),
	];
}

// One chart for each kind, of one quantity at a time.
function comparisonChart(runs, one, quantities, timeline, layout) {
	const choices = quantities.filter((other) => other.chart === one.chart);
	const first = choices.find((other) => other.owner === "job") ?? choices[0];
	const holder = el("div");
	let part = null;
	function show(key) {
		const lines = quantityLines(runs, one.chart, key);
		const context = { id: `runs-${one.chart}`, title: `${one.title}: ${lines[0].quantity}`, lines, timeline, file: "runs" };
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
	return el("div", {}, choice("Show the runs", "layout",
		[{ value: "overlaid", label: "in one picture" }, { value: "apart", label: "each in its own" }], first, show), holder);
}

function details(runs, timeline) {
	const holder = el("div");
	let view = null;
	function show(index) {
		view?.destroy();
		const run = runs[index];
		view = makeRunView(run, timeline);
		holder.replaceChildren(runHead(run, "h2"), view.node);
	}
	// Who looks into one of several runs looks for what went wrong.
	const first = Math.max(runs.findIndex((run) => run.outcome === "failed"), 0);
	show(first);
	return el("div", {}, choice("Run", "run", runs.map((run, i) => ({ value: String(i), label: run.title })), String(first),
		(value) => show(Number(value))), holder);
}

function runsHead(runs) {
	const names = [...new Set(runs.map((run) => run.name))];
	const outcomes = [...new Set(runs.map((run) => run.outcome ?? "unknown"))];
	return el("header", { class: "run-head" }, el("div", { class: "run-title" },
		el("h1", {}, names.length === 1 && names[0] ? `${runs.length} runs of ${names[0]}` : `${runs.length} runs`),
		...outcomes.map((outcome) => el("span", { class: "counted" }, outcomeBadge(outcome),
			` ${runs.filter((run) => (run.outcome ?? "unknown") === outcome).length}`))));
}

// makeRunsView(runs, timeline, hint?) -> { head, node, hasPlots, sections }
export function makeRunsView(runs, timeline, hint = null) {
	const quantities = sharedQuantities(runs, CHARTS, timeline.window);
	const parts = [
		{ id: "section-runs", title: "Runs", nodes: [runTable(runs, quantities)] },
		{ id: "section-balance", title: "Balance", nodes: balancePart(runs, quantities) },
		{ id: "section-together", title: "Over time", nodes: quantities.length ? [hint, comparison(runs, quantities, timeline)]
			: [el("p", { class: "absent" }, "None of these runs has samples, so there is nothing to draw.")] },
		{ id: "section-details", title: "One run in full", nodes: [details(runs, timeline)] },
	];
	return {
		head: runsHead(runs), hasPlots: quantities.length > 0, sections: parts.map(({ id, title }) => ({ id, title })),
		node: el("div", {}, ...parts.map(({ id, title, nodes }) =>
			el("section", { class: "part", id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, title), ...nodes))),
	};
}
