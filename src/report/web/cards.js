// cards.js - the head of a run, and the cards with its facts.
import { copyButton } from "./clipboard.js";
import { el } from "./element.js";
import { counted, dateTime } from "./format.js";
import { tilesOf } from "./tiles.js";

const OUTCOMES = {
	succeeded: ["✓", "Succeeded"], failed: ["✕", "Failed"], running: ["▸", "Still running"],
	ended: ["■", "Ended"], incomplete: ["◐", "Record ends early"], unknown: ["?", "Outcome unknown"],
};
const TITLES = {
	totals: "All figures", what: "What ran", where: "Where", ending: "How it ended", limits: "Limits", overhead: "What recording cost",
};

export function outcomeBadge(outcome) {
	const [sign, words] = OUTCOMES[outcome] ?? OUTCOMES.unknown;
	return el("span", { class: `badge ${outcome in OUTCOMES ? outcome : "unknown"}` },
		el("span", { "aria-hidden": "true" }, `${sign} `), words);
}

export function runHead(run, level = "h1") {
	const command = run.command ? el("div", { class: "command" },
		el("code", { tabindex: "0", role: "group", "aria-label": "Command" }, run.command),
		copyButton(() => run.command, "the command")) : null;
	const { started_at: started = null } = run;
	// The duration is in a tile, and the end of a success needs no sentence.
	const ending = run.outcome === "succeeded" ? null : run.ending;
	return el("header", { class: "run-head" },
		el("div", { class: "run-title" }, el(level, {}, run.title), outcomeBadge(run.outcome),
			started === null ? null : el("span", { class: "when" }, dateTime(started))),
		ending ? el("p", { class: "ending" }, ending) : null, command);
}

function tileNode({ label, value, note, share, tone }) {
	const meter = typeof share === "number" ? el("span", { class: "meter", "aria-hidden": "true" }, el("span")) : null;
	meter?.style.setProperty("--part", share);
	return el("div", { class: tone ? `tile ${tone}` : "tile" },
		el("dt", {}, label), el("dd", {}, value, meter, note ? el("small", {}, note) : null));
}

export const tileList = (run) => tilesNode(tilesOf(run));

// [{ label, value, note?, share?, tone? }] -> an element; null: there are none
export function tilesNode(tiles) {
	return tiles.length ? el("dl", { class: "tiles" }, ...tiles.map(tileNode)) : null;
}

// A part that is folded: its head says in one line what is in it.
function fold(kind, title, gist, ...content) {
	return el("details", { class: `fold ${kind}` },
		el("summary", {}, el("h2", {}, title), gist ? el("span", { class: "gist" }, gist) : null), ...content);
}

function card(title, facts) {
	const text = () => facts.map(({ label, value }) => `${label}: ${value}`).join("\n");
	return el("section", { class: "card" },
		el("div", { class: "card-bar" }, el("h3", {}, title), copyButton(text, `the card ${title}`)),
		el("dl", {}, ...facts.flatMap(({ label, value, note }) => [
			el("dt", {}, label), el("dd", {}, value ?? "unknown", note ? el("small", {}, note) : null)])));
}

const linesOfFacts = (run, card) => (run.facts ?? []).filter((fact) => fact.card === card);

export function factCards(run) {
	const names = [...new Set((run.facts ?? []).map((fact) => fact.card))];
	const host = linesOfFacts(run, "where")[0]?.value;
	const gist = ["all figures, command, limits", host ? `on ${host}` : ""].filter(Boolean).join(", ");
	return names.length ? fold("facts", "Facts", gist, el("div", { class: "cards" },
		...names.map((name) => card(TITLES[name] ?? name, linesOfFacts(run, name))))) : null;
}

export function warningList(run) {
	const warnings = run.warnings ?? [];
	return warnings.length ? fold("warnings", counted(warnings.length, "warning", "warnings"), warnings[0],
		el("ul", {}, ...warnings.map((sentence) => el("li", {}, sentence)))) : null;
}

export function adviceList(run) {
	const advice = run.advice ?? [];
	const gist = advice.map(({ what, value }) => (value ? `${what} ${value}` : what)).join(", ");
	return advice.length ? fold("advice", "Advice", `for the next run: ${gist}`,
		el("dl", {}, ...advice.map(({ what, value, why }) =>
			el("div", {}, el("dt", {}, what),
				el("dd", {}, value ? el("strong", {}, value) : null, el("span", {}, why)))))) : null;
}
