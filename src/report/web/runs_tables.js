// runs_tables.js - several runs as tables: one row for each run, and how evenly each quantity is distributed.
import { balance, onOneBasis } from "./balance.js";
import { el } from "./element.js";
import { dateTime, number, quantity } from "./format.js";
import { makeTable } from "./table.js";

const durationOf = (run) => run.duration_seconds ?? null;

// CPU and memory have a column only if they mean the same for all runs; the heading names it.
export function runTable(runs) {
	const extra = [{ name: "cpu_cores", label: "CPU on average", unit: "cores", of: onOneBasis(runs, "mean_cpu") },
		{ name: "memory_bytes", label: "Peak memory", unit: "B", of: onOneBasis(runs, "peak_memory") }]
		.filter((column) => column.of)
		.map((column) => (column.of.basis === "job" ? column : { ...column, label: `${column.label} (${column.of.basis})` }));
	return makeTable({
		title: "The runs", file: "runs", firstRows: 40,
		columns: [
			{ name: "run", label: "Run", unit: "text" },
			{ name: "outcome", label: "Outcome", unit: "text" },
			{ name: "started", label: "Started", unit: "text" },
			{ name: "duration_seconds", label: "Duration", unit: "s" },
			...extra,
			{ name: "record", label: "Record", unit: "text" },
		],
		rows: runs.map((run, i) => [run.title, run.outcome ?? "unknown", run.started_at ? dateTime(run.started_at) : null,
			durationOf(run), ...extra.map((column) => column.of.values[i]), run.id ?? null]),
	});
}

function balanceTable(runs, weighed) {
	const column = (name, label, unit = "text") => ({ name, label, unit });
	return makeTable({
		title: "Balance", file: "balance", firstRows: 20,
		columns: [
			column("quantity", "Quantity"), column("measure", "Of each run"), column("imbalance", "Max / mean", "ratio"),
			column("highest_run", "Highest in"), column("lowest", "Lowest"), column("mean", "Mean"),
			column("highest", "Highest"),
		],
		rows: weighed.map(({ name, measure, ratio, at, lowest, mean, highest, unit }) =>
			[name, measure, ratio, runs[at].title, ...[lowest, mean, highest].map((value) => quantity(value, unit))]),
	});
}

// -> a sentence about the less even of CPU and memory, and the table of all quantities of the job's own.
export function balancePart(runs, quantities) {
	const own = quantities.filter(({ owner }) => owner === "job");
	const tracked = runs.some((run) => run.quantities?.cpu_time && "job" in run.quantities.cpu_time);
	const wide = tracked ? [] : quantities.filter(({ owner }) => owner === "machine");
	const duration = { name: "Duration", measure: "whole", unit: "s", values: runs.map(durationOf) };
	const listed = (own.length ? own : wide).map((one) =>
		({ ...one, name: `${one.title}: ${one.label}`, measure: one.average ? "mean" : "peak" }));
	const weighed = [duration, ...listed].map((one) => ({ ...one, ...balance(one.values) })).filter(({ ratio }) => ratio);
	if (!weighed.length)
		return [el("p", { class: "absent" }, "No quantity is known of two of these runs, so they cannot be compared.")];
	const main = ["cpu", "memory"].map((chart) => weighed.find((one) => one.chart === chart && !one.values.includes(null))).filter(Boolean);
	const worst = main.sort((a, b) => b.ratio - a.ratio)[0] ?? weighed[0];
	return [
		el("p", { class: "lead" }, `1 means that all runs had the same, ${runs.length} that one had everything. ` +
			`${worst.name}: the highest is ${number(worst.ratio)} times the mean (${runs[worst.at].title}).`),
		balanceTable(runs, weighed),
	];
}
