// flame.js - which program started which, as a flame graph: a box is as wide as what a program used with all that it
// started, and that is below it.
import { choice } from "./choice.js";
import { saveCsv } from "./csv.js";
import { programColour } from "./data.js";
import { button, el, unseen } from "./element.js";
import { counted, quantity } from "./format.js";
import { boxPicture } from "./picture.js";
import { pictureButtons } from "./picture_buttons.js";
import { boxesOf, MEASURES, pathOf, treeOf } from "./program_tree.js";
import { announce } from "./speech.js";
import { colourOf } from "./theme.js";

const TITLE = "Which program started which";
const FIRST_ROWS = 12;
const LEAST_SECONDS = 0.001;
const HINT = "Point at a program to read it; a click shows it and what it started alone, a second one what is around it.";

const words = (node) => pathOf(node).map(({ name }) => name).join(" › ");
const share = (part, whole) => (whole > 0 && part !== null ? ` (${quantity(part / whole, "share")})` : "");

function describe(node, whole) {
	const { own, all } = node;
	return [
		`${words(node)}: ${own.processes === null ? "" : `${counted(own.processes, "process", "processes")}, `}` +
			`CPU ${quantity(own.cpu, "s")}${share(own.cpu, whole.cpu)}`,
		node.children.length ? `with what it started ${quantity(all.cpu, "s")}${share(all.cpu, whole.cpu)}` : "",
		own.memory === null ? "" : `largest process ${quantity(own.memory, "B")}`,
	].filter(Boolean).join(", ");
}

const total = (tops, name) => tops.reduce((sum, node) => sum + (node.all[name] ?? 0), 0);

function summaryOf({ all }, whole, measure, run) {
	const most = all.reduce((best, node) => ((node.own.cpu ?? 0) > (best.own.cpu ?? 0) ? node : best));
	const width = {
		cpu: "A box is as wide as the CPU time of the program with all that it started, which is below it.",
		processes: "A box is as wide as the number of processes of the program and of all that it started.",
		memory: "A box is as wide as the largest process of the program and of each that it started, added up: they need not have been there at once.",
	}[measure];
	return [
		width, whole.cpu > 0 ? `Most CPU time by itself: ${words(most)}, ${quantity(most.own.cpu, "s")}${share(most.own.cpu, whole.cpu)}.` : "",
		all.some(({ own, children }) => own.processes === null && !children.length) ? "Processes were not counted." : "",
		run.short_lived_cpu_seconds >= LEAST_SECONDS
			? `CPU time of processes that no sample saw is in none: ${quantity(run.short_lived_cpu_seconds, "s")}.` : "",
		run.program_tree.full ? "There were more branches than are kept: some programs stand below an unknown parent." : "",
	].filter(Boolean).join(" ");
}

// The same as a table: what a program started follows it, indented.
function treeTable({ all }) {
	const cell = (value, unit) => el("td", { class: "number" }, value === null
		? el("span", { class: "none" }, el("span", { "aria-hidden": "true" }, "–"), unseen("unknown")) : quantity(value, unit));
	const row = (node) => {
		const head = el("th", { class: "text branch", scope: "row" }, unseen(`level ${node.level + 1}: `), node.name);
		head.style.setProperty("--depth", Math.min(node.level, 12));
		return el("tr", {}, head, cell(node.own.processes, "count"), cell(node.own.cpu, "s"), cell(node.all.cpu, "s"), cell(node.own.memory, "B"));
	};
	const body = el("tbody", {}, ...all.slice(0, FIRST_ROWS + 3).map(row));
	const heads = ["Program", "Processes", "CPU time", "With what it started", "Largest process"];
	const more = all.length > FIRST_ROWS + 3 ? button(`Show all ${all.length} rows`, () => {
		body.replaceChildren(...all.map(row));
		more.hidden = true;
	}, { class: "quiet more" }) : null;
	return el("div", { class: "table detail" },
		el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": `Table: ${TITLE}` },
			el("table", { class: "data" }, el("caption", { class: "unseen" }, TITLE),
				el("thead", {}, el("tr", {}, ...heads.map((head, i) => el("th", { scope: "col", class: i ? "number" : "text" }, head)))), body)), more);
}

const csvRows = ({ all }) => all.map((node) => [pathOf(node).map(({ name }) => name).join("/"), node.level, node.own.processes, node.own.cpu,
	node.all.cpu, node.own.memory, node.branches]);
const CSV_COLUMNS = ["path", "level", "processes", "cpu_seconds", "cpu_seconds_with_below", "peak_rss_bytes", "branches"];

// The boxes as elements, and the one that the keyboard or the pointer is at.
function makeBoxes({ run, tree, whole, onChange }) {
	const node = el("div", { class: "flame", role: "tree", tabindex: "0", "aria-label": TITLE, "aria-describedby": "program-flame-summary" });
	let [boxes, elements, active, measure, focus] = [[], [], -1, "cpu", null];

	function mark(i) {
		elements[active]?.classList.remove("active");
		active = i;
		elements[i]?.classList.add("active");
		if (elements[i])
			node.setAttribute("aria-activedescendant", elements[i].id);
		else
			node.removeAttribute("aria-activedescendant");
		onChange(boxes[i]?.node ?? null);
	}

	function show(now = null) {
		focus = now;
		boxes = boxesOf(tree, measure, focus);
		elements = boxes.map(({ node: one, left, width, level }, i) => {
			const box = el("div", { id: `program-flame-${i}`, role: "treeitem", "aria-level": level + 1, "aria-label": describe(one, whole) },
				el("span", { "aria-hidden": "true" }, one.name));
			box.style.setProperty("--left", left);
			box.style.setProperty("--width", width);
			box.style.setProperty("--level", level);
			box.style.setProperty("--colour", colourOf(programColour(run, one.name)));
			box.addEventListener("pointerenter", () => mark(i));
			box.addEventListener("click", () => show(one === focus ? focus.parent : one));
			return box;
		});
		node.style.setProperty("--levels", 1 + Math.max(0, ...boxes.map(({ level }) => level)));
		node.replaceChildren(...elements);
		mark(focus ? boxes.findIndex((box) => box.node === focus) : -1);
	}

	// The place of the box that a key leads to; -1: none.
	function next(key) {
		const { level, left, node: from } = boxes[active];
		const beside = boxes.map((box, i) => ({ ...box, i })).filter((box) => box.level === level).sort((a, b) => a.left - b.left);
		const place = beside.findIndex((box) => box.left === left);
		return {
			ArrowUp: () => boxes.findIndex((box) => box.node === from.parent),
			ArrowDown: () => boxes.findIndex((box) => box.node.parent === from),
			ArrowLeft: () => beside[place - 1]?.i ?? -1,
			ArrowRight: () => beside[place + 1]?.i ?? -1,
		}[key]();
	}

	node.addEventListener("pointerleave", () => mark(-1));
	node.addEventListener("focus", () => mark(Math.max(active, 0)));
	node.addEventListener("keydown", (event) => {
		if (event.ctrlKey || event.altKey || event.metaKey || !boxes.length)
			return;
		if (active < 0)
			mark(0);
		if (event.key.startsWith("Arrow"))
			mark(next(event.key) < 0 ? active : next(event.key));
		else if (event.key === "Enter" || event.key === " ")
			show(boxes[active].node);
		else if (event.key === "0" || event.key === "Escape")
			show();
		else
			return;
		event.preventDefault();
		elements[active]?.scrollIntoView({ block: "nearest" });
		announce(boxes[active] ? describe(boxes[active].node, whole) : "All programs are shown.");
	});
	return {
		node, show, get boxes() { return boxes; },
		setMeasure(name) {
			measure = name;
			show(focus?.all[name] > 0 ? focus : null);
		},
	};
}

// -> an element, or null if the record does not contain which program started which
export function programFlame(run, file) {
	const tree = treeOf(run.program_tree);
	if (!tree.all.length)
		return null;
	const whole = Object.fromEntries(MEASURES.map(({ name }) => [name, total(tree.tops, name)]));
	const measures = MEASURES.filter(({ name }) => whole[name] > 0);
	const id = "program-flame";
	const readout = el("p", { class: "readout" }, HINT);
	const summary = el("figcaption", { id: `${id}-summary` });
	const flame = makeBoxes({ run, tree, whole, onChange: (node) => { readout.textContent = node ? describe(node, whole) : HINT; } });
	const measured = (name) => {
		summary.textContent = summaryOf(tree, whole, name, run);
		flame.setMeasure(name);
	};
	measured(measures[0]?.name ?? "cpu");

	const values = el("div", { class: "chart-data", hidden: true });
	const table = button("Table", () => {
		values.hidden = !values.hidden;
		table.setAttribute("aria-expanded", String(!values.hidden));
		if (!values.hidden)
			values.replaceChildren(treeTable(tree));
	}, { class: "quiet", "aria-expanded": "false", "aria-label": `Table of ${TITLE}` });
	return el("figure", { class: "chart", id },
		el("div", { class: "chart-bar" }, el("h3", {}, TITLE), el("span", { class: "actions" }, table,
			button("CSV", () => saveCsv(`${file}-${id}`, CSV_COLUMNS, csvRows(tree)), { class: "quiet", "aria-label": `Save ${TITLE} as CSV` }),
			...pictureButtons({
				title: TITLE, file: `${file}-${id}`, picture: (ofName) => boxPicture({
					title: TITLE, boxes: flame.boxes.map((box) => ({ ...box, name: box.node.name, colour: programColour(run, box.node.name) })),
				}, ofName),
			}))),
		measures.length > 1 ? choice("Width", `${id}-measure`, measures.map(({ name, label }) => ({ value: name, label })), measures[0].name, measured) : null,
		summary, flame.node, readout, values);
}
