// cards.js - the head of a run, and the cards with its facts.
import { copyButton } from "./clipboard.js";
import { el } from "./element.js";
import { dateTime, duration } from "./format.js";

const OUTCOMES = {
	succeeded: ["✓", "Succeeded"], failed: ["✕", "Failed"], running: ["▸", "Still running"],
	ended: ["■", "Ended"], incomplete: ["◐", "Record ends early"], unknown: ["?", "Outcome unknown"],
};
const TITLES = {
	what: "What ran", where: "Where", ending: "How it ended", limits: "Limits", overhead: "What recording cost",
};

const LONG_VALUE = 18;          // characters: the most that fit into a tile in large letters

export function outcomeBadge(outcome) {
	const [sign, words] = OUTCOMES[outcome] ?? OUTCOMES.unknown;
	return el("span", { class: `badge ${outcome in OUTCOMES ? outcome : "unknown"}` },
		el("span", { "aria-hidden": "true" }, `${sign} `), words);
}

export function runHead(run, level = "h1") {
	const command = run.command ? el("div", { class: "command" },
		el("code", { tabindex: "0", role: "group", "aria-label": "Command" }, run.command),
		copyButton(() => run.command, "the command")) : null;
	const { started_at: started = null, duration_seconds: took = null } = run;
	const when = [started === null ? null : dateTime(started), took === null ? null : `took ${duration(took, 3)}`];
	return el("header", { class: "run-head" },
		el("div", { class: "run-title" }, el(level, {}, run.title), outcomeBadge(run.outcome)),
		run.ending ? el("p", { class: "ending" }, run.ending) : null,
		el("p", { class: "when" }, when.filter(Boolean).join(" · ")),
		command);
}

// The totals are what most readers look for: large, and first.
export function totalTiles(run) {
	const facts = (run.facts ?? []).filter((fact) => fact.card === "totals");
	const isLong = ({ value }) => (value ?? "").length > LONG_VALUE;
	if (!facts.length)
		return null;
	return el("dl", { class: facts.some(isLong) ? "tiles wide" : "tiles" }, ...facts.map((fact) => el("div", {},
		el("dt", {}, fact.label), el("dd", {},
			fact.value ?? "unknown", fact.note ? el("small", {}, fact.note) : null))));
}

function card(title, facts) {
	const text = () => facts.map(({ label, value }) => `${label}: ${value}`).join("\n");
	return el("section", { class: "card" },
		el("div", { class: "card-bar" }, el("h3", {}, title), copyButton(text, `the card ${title}`)),
		el("dl", {}, ...facts.flatMap(({ label, value, note }) => [
			el("dt", {}, label), el("dd", {}, value ?? "unknown", note ? el("small", {}, note) : null)])));
}

export function factCards(run) {
	const facts = (run.facts ?? []).filter((fact) => fact.card !== "totals");
	const names = [...new Set(facts.map((fact) => fact.card))];
	return names.length ? el("div", { class: "cards" }, ...names.map((name) =>
		card(TITLES[name] ?? name, facts.filter((fact) => fact.card === name)))) : null;
}

export function warningList(run) {
	const warnings = run.warnings ?? [];
	if (!warnings.length)
		return null;
	return el("section", { class: "notice warnings", "aria-labelledby": "warnings-title" },
		el("h2", { id: "warnings-title" }, warnings.length === 1 ? "A warning" : `${warnings.length} warnings`),
		el("ul", {}, ...warnings.map((sentence) => el("li", {}, sentence))));
}

export function adviceList(run) {
	const advice = run.advice ?? [];
	if (!advice.length)
		return null;
	return el("section", { class: "notice advice", "aria-labelledby": "advice-title" },
		el("h2", { id: "advice-title" }, "Advice for the next run"),
		el("dl", {}, ...advice.map(({ what, value, why }) =>
			el("div", {}, el("dt", {}, what),
				el("dd", {}, value ? el("strong", {}, value) : null, el("span", {}, why))))));
}
