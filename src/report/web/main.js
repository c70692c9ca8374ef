// main.js - builds the page from its data.
import { bindAddress } from "./address.js";
import { runHead } from "./cards.js";
import { setStart } from "./clock.js";
import { readData } from "./data.js";
import { el } from "./element.js";
import { dateTime } from "./format.js";
import { makeRunView } from "./run_view.js";
import { makeRunsView } from "./runs_view.js";
import { speechNode } from "./speech.js";
import { makeTimeline } from "./timeline.js";
import { keysNode, makeToolbar } from "./toolbar.js";

const endOf = (run) => Math.max(run.duration_seconds ?? 0, run.times?.at(-1) ?? 0);

function footer(data) {
	return el("footer", {}, `Made by ${data.program ?? "resource-tracker"}` +
		`${data.made_at ? `, ${dateTime(data.made_at)}` : ""}. This page is one file and fetches nothing.`);
}

function build(page, data) {
	const { runs } = data;
	const timeline = makeTimeline(Math.max(...runs.map(endOf)));
	const only = runs.length === 1 ? runs[0] : null;
	setStart(only?.started_at ?? null);
	const view = only ? makeRunView(only, timeline, keysNode()) : makeRunsView(runs, timeline, keysNode());
	document.title = only ? `${only.title} · resource-tracker` : `${runs.length} runs · resource-tracker`;
	page.replaceChildren(
		only ? runHead(only) : view.head, ...(view.top ? [view.top] : []),
		makeToolbar({
			timeline: view.hasPlots ? timeline : null, sections: view.sections,
		}),
		view.node, footer(data), speechNode());
	bindAddress(timeline);
}

const page = document.getElementById("page");
const data = readData(document.getElementById("report-data")?.textContent ?? null);
if (typeof data === "string")
	page.replaceChildren(el("h1", {}, "resource-tracker report"), el("p", { class: "absent" }, data));
else
	build(page, data);
