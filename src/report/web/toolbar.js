// toolbar.js - the bar that stays at the top while the page scrolls: links to sections, and the visible part of the
// time.
import { button, el, unseen } from "./element.js";
import { clockIsByDay, clockIsKnown, moment, onClockChange, setClock } from "./clock.js";
import { duration } from "./format.js";
import { themeButton } from "./theme.js";

// Time of day, or time since the start.
function clockButton() {
	const self = button("Time of day", () => setClock(!clockIsByDay()), { class: "clock", "aria-pressed": "false" });
	onClockChange(() => self.setAttribute("aria-pressed", String(clockIsByDay())));
	return self;
}

function timeControls(timeline) {
	const shown = el("span", { class: "window" });
	const pointed = el("span", { class: "pointed" });
	const reset = button("Whole run", () => timeline.reset(), { class: "reset" });

	function update() {
		const [from, to] = timeline.window;
		shown.textContent = timeline.isWhole && !clockIsByDay() ? `whole run, ${duration(to)}` : `${moment(from)} – ${moment(to)}`;
		reset.disabled = timeline.isWhole;
		const { cursor } = timeline;
		pointed.textContent = cursor === null ? "" : `at ${moment(cursor, true)}`;
	}
	timeline.listen(update);
	onClockChange(update);
	update();

	const icon = (sign, words, action, kind) => button(sign, action, { "aria-label": words, title: words, class: kind });
	return el("div", { class: "time", role: "group", "aria-label": "Time shown in the charts" },
		pointed, unseen("shown: "), shown,
		icon("−", "Show twice as much time", () => timeline.zoom(2)),
		icon("+", "Show half as much time", () => timeline.zoom(0.5)),
		icon("‹", "Earlier", () => timeline.pan(-0.5), "pan"),
		icon("›", "Later", () => timeline.pan(0.5), "pan"),
		reset, clockIsKnown() ? clockButton() : null);
}

// The address holds the visible part of the time, so a link to a section does not change it.
function show(event, id) {
	event.preventDefault();
	const section = document.getElementById(id);
	if (section.tagName === "DETAILS")
		section.open = true;
	section.scrollIntoView();
}

// makeToolbar({ timeline, or null if nothing is drawn, sections: [{ id, title }] })
export function makeToolbar({ timeline, sections }) {
	return el("div", { class: "toolbar" },
		el("nav", { "aria-label": "Sections" },
			...sections.map(({ id, title }) => el("a", { href: `#${id}`, onclick: (event) => show(event, id) }, title))),
		timeline ? timeControls(timeline) : null,
		themeButton());
}

export const keysNode = () => el("p", { id: "keys", class: "hint" },
	"Drag over a chart to zoom in, click on a band to zoom to it, double-click to see all again; all charts follow. Ctrl and the wheel, " +
	"or two fingers, zoom; Shift and the wheel move. With the keyboard, on a chart: arrows move the crosshair, + and − zoom, " +
	"Page Up and Page Down go earlier and later, 0 shows all. The page's address holds the part that is shown.");
