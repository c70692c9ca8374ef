// clock.js - how moments of a run are written: since its start, or as the time of day.  One choice for the whole page.
import { duration, timeLabels, timeOfDay } from "./format.js";

const listeners = new Set();
let startedAt = null;           // unix seconds; null: unknown
let byDay = false;

// -> a function that ends it
export function onClockChange(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

export const clockIsKnown = () => startedAt !== null;
export const clockIsByDay = () => byDay;

export function setStart(unixSeconds) {
	startedAt = unixSeconds;
	byDay &&= startedAt !== null;
}

export function setClock(wantsDay) {
	byDay = wantsDay && startedAt !== null;
	for (const listener of listeners)
		listener();
}

// A moment of a run in the chosen form; `precise` adds the tenth of a second.
export const moment = (seconds, precise = false) =>
	(byDay ? timeOfDay(startedAt + seconds, precise ? 1 : 0) : duration(seconds));

// Local time of the start in seconds since a midnight, so that ticks stand at whole minutes of the wall's clock.
function offset() {
	return byDay ? startedAt - new Date(startedAt * 1000).getTimezoneOffset() * 60 : 0;
}

// The ticks of a time axis between two moments.
export function timeSplits(from, to, step) {
	if (!(step > 0))
		return [];
	const start = offset();
	const first = Math.ceil((start + from) / step - 1e-9);
	const count = Math.floor((to - (first * step - start)) / step + 1e-9) + 1;
	return Array.from({ length: Math.max(count, 0) }, (_, i) => (first + i) * step - start);
}

export function timeTicks(values, step) {
	if (!byDay)
		return timeLabels(values, step);
	return values.map((t) => timeOfDay(startedAt + t, step < 1 ? 2 : 0).slice(0, step >= 60 ? 5 : undefined));
}
