// job_view.js - the page of a job over all its ranks.
import { outcomeBadge, tilesNode, warningList } from "./cards.js";
import { el } from "./element.js";
import { counted, duration, number } from "./format.js";
import { byStatus, rankName } from "./job_data.js";
import { makeJobMap } from "./job_map.js";
import { jobTiles, leftOutTable, nodeTable, rankTable, regionTable, spreadTable, stragglerTable } from "./job_tables.js";

const NAMED = 20;
const OUTCOMES = { ok: "succeeded", running: "running", ended: "ended", stopped: "ended", truncated: "incomplete" };

const outcomeOf = (status) => OUTCOMES[status] ?? "failed";
const named = (names) => names.slice(0, NAMED).join(", ") + (names.length > NAMED ? ` and ${names.length - NAMED} more` : "");

// What a reader has to know before the figures: missing, failed and cut-off ranks, files that are left out, clocks.
export function warningsOf(job) {
	const warnings = [];
	const several = (n) => counted(n, job.kind, `${job.kind}s`);
	if (job.missing) {
		const gaps = job.missing_ranks.map(({ first, last, step }) =>
			`${first === last ? first : `${first} to ${last}`}${job.launches.length > 1 && step !== null ? ` of step ${step}` : ""}`);
		warnings.push(`${several(job.missing)} without a record: ${named(gaps)}.`);
	}
	for (const [status, rows] of byStatus(job)) {
		const names = named(rows.map((row) => rankName(job, row)));
		if (status === "truncated")
			warnings.push(`${counted(rows.length, "record", "records")} cut off: ${names}.`);
		else if (outcomeOf(status) === "failed")
			warnings.push(`${several(rows.length)} ended with ${status}: ${names}.`);
	}
	const ahead = job.nodes.filter(({ clock_ahead_seconds: seconds }) => seconds !== null);
	if (ahead.length)
		warnings.push(`Clocks differ from that of the median node, and are aligned here: ${named(ahead.map(({ name, clock_ahead_seconds: seconds }) =>
			`${name} is ${duration(Math.abs(seconds))} ${seconds > 0 ? "ahead" : "behind"}`))}.`);
	if (job.all_left_out)
		warnings.push(`${counted(job.all_left_out, "file is", "files are")} not added: below, Files.`);
	return warnings;
}

function headOf(job, title) {
	const outcomes = new Map();
	for (const [status, rows] of byStatus(job))
		outcomes.set(outcomeOf(status), (outcomes.get(outcomeOf(status)) ?? 0) + rows.length);
	return el("header", { class: "run-head" }, el("div", { class: "run-title" }, el("h1", {}, title),
		...[...outcomes].map(([outcome, n]) => el("span", { class: "counted" }, outcomeBadge(outcome), ` ${number(n)}`))),
	el("p", { class: "lead" }, `${counted(job.ranks.length, job.kind, `${job.kind}s`)} with a record, on ${counted(job.nodes.length, "node", "nodes")}` +
		`${job.launches.length > 1 ? `, ${job.launches.length} starts` : job.launches[0].step === null ? "" : `, step ${job.launches[0].step}`}.`));
}

function stragglerPart(job) {
	if (!job.stragglers.length)
		return [el("p", { class: "absent" }, `No ${job.kind} took a tenth longer than the median one, or waited or computed for a tenth more of its time.`)];
	const more = job.all_stragglers - job.stragglers.length;
	return [el("p", { class: "lead" }, `${counted(job.all_stragglers, job.kind, `${job.kind}s`)} took a tenth longer than the median one, or waited or computed for ` +
		`a tenth more of the time${more > 0 ? `; the first ${job.stragglers.length} of them` : ""}. In the map they have a red mark at the right.`), stragglerTable(job)];
}

// makeJobView(job, timeline, hint) -> { title, head, top, node, hasPlots, sections }
export function makeJobView(job, timeline, hint) {
	const title = job.job === null ? `${job.ranks.length} ${job.kind}s` : `${job.scheduler ?? ""} job ${job.job}`.trim();
	const map = makeJobMap(job, timeline);
	const parts = [
		{ id: "section-map", title: "Over time", nodes: map ? [map.node, hint]
			: [el("p", { class: "absent" }, "The records know nothing of the ranks over the time.")] },
		{ id: "section-stragglers", title: "Stragglers", nodes: stragglerPart(job) },
		{ id: "section-spread", title: "Spread", nodes: [spreadTable(job)] },
		...(job.regions.length ? [{ id: "section-regions", title: "Regions", nodes: [regionTable(job)] }] : []),
		{ id: "section-nodes", title: "Nodes", nodes: [nodeTable(job)] },
		...(job.left_out.length ? [{ id: "section-files", title: "Files", nodes: [leftOutTable(job)] }] : []),
		{ id: "section-ranks", title: "Ranks", nodes: [rankTable(job)] },
	];
	return {
		title, head: headOf(job, title), hasPlots: map !== null, sections: parts.map(({ id, title: name }) => ({ id, title: name })),
		top: el("div", {}, tilesNode(jobTiles(job)), warningList({ warnings: warningsOf(job) }) ?? ""),
		node: el("div", {}, ...parts.map(({ id, title: name, nodes }) =>
			el("section", { class: "part", id, "aria-labelledby": `${id}-title` }, el("h2", { id: `${id}-title` }, name), ...nodes))),
	};
}
