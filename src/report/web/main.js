// main.js - builds the page from its data.
import { bindAddress } from "./address.js";
import { runHead } from "./cards.js";
import { setStart } from "./clock.js";
import { endOf, readData } from "./data.js";
import { el } from "./element.js";
import { dateTime } from "./format.js";
import { readJob } from "./job_data.js";
import { makeJobView } from "./job_view.js";
import { follow } from "./live.js";
import { makeRunView } from "./run_view.js";
import { makeRunsView } from "./runs_view.js";
import { speechNode } from "./speech.js";
import { makeTimeline } from "./timeline.js";
import { keysNode, makeToolbar } from "./toolbar.js";

function footer(data) {
	return el("footer", {}, `Made by ${data.program ?? "resource-tracker"}` +
		`${data.made_at ? `, ${dateTime(data.made_at)}` : ""}. ` +
		(data.live ? "This page is fed by resource-tracker on this machine." : "This page is one file and fetches nothing."));
}

// The page of all ranks of a job.
function buildJob(page, data) {
	const job = readJob(data.job);
	const timeline = makeTimeline(job.map.seconds);
	setStart(null);
	const view = makeJobView(job, timeline, keysNode());
	document.title = `${view.title} · resource-tracker`;
	page.replaceChildren(view.head, view.top, makeToolbar({ timeline: view.hasPlots ? timeline : null, sections: view.sections }),
		view.node, footer(data), speechNode());
	bindAddress(timeline);
}

function build(page, data, timeline, status = null) {
	const { runs } = data;
	const only = runs.length === 1 ? runs[0] : null;
	setStart(only?.started_at ?? null);
	const view = only ? makeRunView(only, timeline, keysNode()) : makeRunsView(runs, timeline, keysNode());
	const head = only ? runHead(only) : view.head;
	document.title = only ? `${only.title} · resource-tracker` : `${runs.length} runs · resource-tracker`;
	page.replaceChildren(
		head, ...(status ? [status] : []), ...(view.top ? [view.top] : []),
		makeToolbar({
			timeline: view.hasPlots ? timeline : null, sections: view.sections,
		}),
		view.node, footer(data), speechNode());
	return { view, head };
}

// The page of a run that goes on: what comes later goes into the parts that are there, or, where the run has got parts
// that it did not have, into a new page at the same place.
function grow(page, first, timeline) {
	let shown = null;
	const status = follow((text) => {
		const data = readData(text);
		if (typeof data === "string")
			return;
		const [run] = data.runs;
		timeline.setEnd(endOf(run));
		if (!shown.view.update(run)) {
			const place = window.scrollY;
			const open = [...page.querySelectorAll("details[open]")].map((fold) => fold.id).filter(Boolean);
			shown.view.destroy();
			shown = build(page, data, timeline, status);
			open.forEach((id) => document.getElementById(id)?.setAttribute("open", ""));
			window.scrollTo(0, place);
			return;
		}
		const head = runHead(run);
		if (!head.isEqualNode(shown.head)) {
			shown.head.replaceWith(head);
			shown.head = head;
		}
	});
	shown = build(page, first, timeline, status);
}

const page = document.getElementById("page");
const data = readData(document.getElementById("report-data")?.textContent ?? null);
if (typeof data === "string") {
	page.replaceChildren(el("h1", {}, "resource-tracker report"), el("p", { class: "absent" }, data));
} else if (data.job) {
	buildJob(page, data);
} else {
	const timeline = makeTimeline(Math.max(...data.runs.map(endOf)));
	if (data.live)
		grow(page, data, timeline);
	else
		build(page, data, timeline);
	bindAddress(timeline);
}
