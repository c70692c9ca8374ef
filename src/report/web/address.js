// address.js - the visible part and the form of times in the page's address, so that a link shows what its sender saw.
import { clockIsByDay, onClockChange, setClock } from "./clock.js";

const PAUSE_MS = 200;           // browsers limit how often an address can change

// "#from=12.5&to=30&clock=day" -> { from, to, byDay }; from and to null: the whole run.
export function readAddress(hash) {
	const words = new URLSearchParams(hash.replace(/^#/, ""));
	const [from, to] = ["from", "to"].map((name) => (words.has(name) ? Number(words.get(name)) : NaN));
	const isPart = Number.isFinite(from) && Number.isFinite(to) && to > from && from >= 0;
	return { from: isPart ? from : null, to: isPart ? to : null, byDay: words.get("clock") === "day" };
}

export function writeAddress({ window: [from, to], isWhole }, byDay) {
	const digits = Math.max(0, Math.ceil(4 - Math.log10(Math.max(to - from, 1e-6))));
	const words = isWhole ? [] : [`from=${Number(from.toFixed(digits))}`, `to=${Number(to.toFixed(digits))}`];
	return [...words, ...(byDay ? ["clock=day"] : [])].join("&");
}

// Applies the address now, and follows the page from then on.
export function bindAddress(timeline) {
	let waiting = null;
	function apply() {
		const { from, to, byDay } = readAddress(location.hash);
		setClock(byDay);
		if (from === null)
			timeline.reset();
		else
			timeline.setWindow(from, to);
	}
	function changed() {
		waiting ??= setTimeout(() => {
			waiting = null;
			const words = writeAddress(timeline, clockIsByDay());
			if (words !== location.hash.replace(/^#/, ""))
				history.replaceState(null, "", `#${words}`);
		}, PAUSE_MS);
	}
	if (readAddress(location.hash).from !== null || readAddress(location.hash).byDay)
		apply();
	window.addEventListener("hashchange", apply);
	timeline.listen(changed);
	onClockChange(changed);
}
