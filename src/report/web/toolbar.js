// toolbar.js - the bar that stays at the top while the page scrolls: links to sections, and the visible part of the
// time.
import { button, el, unseen } from "./element.js";
import { duration, moment, timeOfDay } from "./format.js";
import { themeButton } from "./theme.js";

// The position of the visible part within the run, as in a scroll bar.
function extent(timeline) {
	const bar = el("span", { class: "extent", "aria-hidden": "true" }, el("span"));
	const update = () => {
		const [from, to] = timeline.window.map((t) => t / timeline.end);
		bar.hidden = timeline.isWhole;
		bar.style.setProperty("--from", from);
		bar.style.setProperty("--part", to - from);
	};
	timeline.listen(update);
	update();
	return bar;
}

function timeControls(timeline, startedAt) {
	const shown = el("span", { class: "window" });
	const pointed = el("span", { class: "pointed" });
	const reset = button("Whole run", () => timeline.reset(), { class: "reset" });

	function update() {
		const [from, to] = timeline.window;
		shown.textContent = timeline.isWhole ? `0 – ${duration(to, 4)}` : `${moment(from)} – ${moment(to)}`;
		reset.disabled = timeline.isWhole;
		const { cursor } = timeline;
		const clock = cursor === null || startedAt === null ? "" : ` (${timeOfDay(startedAt + cursor)})`;
		pointed.textContent = cursor === null ? "" : `at ${moment(cursor)}${clock}`;
	}
	timeline.listen(update);
	update();

	const icon = (sign, words, action) => button(sign, action, { "aria-label": words, title: words });
	return el("div", { class: "time", role: "group", "aria-label": "Time shown in the charts" },
		pointed, unseen("shown: "), shown, extent(timeline),
		icon("−", "Show twice as much time", () => timeline.zoom(2)),
		icon("+", "Show half as much time", () => timeline.zoom(0.5)),
		icon("‹", "Earlier", () => timeline.pan(-0.5)),
		icon("›", "Later", () => timeline.pan(0.5)),
		reset);
}

// makeToolbar({ timeline, or null if nothing is drawn, startedAt: unix seconds or null, sections: [{ id, title }] })
export function makeToolbar({ timeline, startedAt, sections }) {
	return el("div", { class: "toolbar" },
		el("nav", { "aria-label": "Sections" },
			...sections.map(({ id, title }) => el("a", { href: `#${id}` }, title))),
		timeline ? timeControls(timeline, startedAt) : null,
		themeButton());
}

export const keysNode = () => el("p", { id: "keys", class: "hint" },
	"Drag over a chart to zoom in, double-click to see all again; all charts follow. With the keyboard, on a chart: " +
	"arrows move the crosshair, + and − zoom, Page Up and Page Down go earlier and later, 0 shows all.");
