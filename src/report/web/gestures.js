// gestures.js - zoom by wheel, pinch and drag.

const PER_NOTCH = 1.25;

// The window that keeps `at` where it is and shows `factor` times as much: [from, to].
export function zoomedAround([from, to], at, factor) {
	return [at - (at - from) * factor, at + (to - at) * factor];
}

const placeIn = (node, clientX) => {
	const box = node.getBoundingClientRect();
	return Math.min(Math.max((clientX - box.left) / box.width, 0), 1);
};

// With Ctrl (or a pinch on a touchpad, which browsers report as such) the wheel zooms around the pointer; sideways, or
// with Shift, it moves.  Plain, it scrolls the page.
export function bindWheel(node, timeline, always = false) {
	node.addEventListener("wheel", (event) => {
		const sideways = event.shiftKey ? event.deltaY || event.deltaX : Math.abs(event.deltaX) > Math.abs(event.deltaY) ? event.deltaX : 0;
		const [from, to] = timeline.window;
		if (sideways) {
			event.preventDefault();
			timeline.pan(sideways / 800);
		} else if (always || event.ctrlKey || event.metaKey) {
			event.preventDefault();
			const at = from + placeIn(node, event.clientX) * (to - from);
			const factor = PER_NOTCH ** Math.max(Math.min(event.deltaY / 50, 2), -2);
			timeline.setWindow(...zoomedAround(timeline.window, at, factor));
		}
	}, { passive: false });
}

// Two fingers keep the moments below them; one points.
export function bindTouch(node, timeline, onPoint) {
	const fingers = new Map();
	let held = null;
	const moments = () => {
		const [from, to] = timeline.window;
		return [...fingers.values()].slice(0, 2).map((x) => from + placeIn(node, x) * (to - from));
	};
	node.addEventListener("pointerdown", (event) => {
		if (event.pointerType !== "touch")
			return;
		fingers.set(event.pointerId, event.clientX);
		held = fingers.size === 2 ? moments() : null;
	});
	node.addEventListener("pointermove", (event) => {
		if (!fingers.has(event.pointerId))
			return;
		fingers.set(event.pointerId, event.clientX);
		const [from, to] = timeline.window;
		if (!held) {
			onPoint(from + placeIn(node, event.clientX) * (to - from));
			return;
		}
		const places = [...fingers.values()].slice(0, 2).map((x) => placeIn(node, x));
		if (Math.abs(places[1] - places[0]) < 0.02)
			return;
		const span = (held[1] - held[0]) / (places[1] - places[0]);
		const begin = held[0] - places[0] * span;
		if (span > 0)
			timeline.setWindow(begin, begin + span);
	});
	for (const name of ["pointerup", "pointercancel"])
		node.addEventListener(name, (event) => {
			fingers.delete(event.pointerId);
			held = null;
		});
}

// The strip of the whole run: a drag chooses a part, a drag of the chosen part moves it, the wheel zooms.
export function bindOverview(node, timeline) {
	let drag = null;
	const momentAt = (event) => placeIn(node, event.clientX) * timeline.end;
	node.addEventListener("pointerdown", (event) => {
		const at = momentAt(event);
		const [from, to] = timeline.window;
		drag = { at, moves: !timeline.isWhole && at >= from && at <= to ? [from, to] : null };
		node.setPointerCapture(event.pointerId);
		event.preventDefault();
	});
	node.addEventListener("pointermove", (event) => {
		if (!drag)
			return;
		const at = momentAt(event);
		if (drag.moves) {
			const span = drag.moves[1] - drag.moves[0];
			const begin = Math.min(Math.max(drag.moves[0] + at - drag.at, 0), timeline.end - span);
			timeline.setWindow(begin, begin + span);
		} else if (Math.abs(at - drag.at) > timeline.end / 200) {
			timeline.setWindow(Math.min(at, drag.at), Math.max(at, drag.at));
		}
	});
	for (const name of ["pointerup", "pointercancel"])
		node.addEventListener(name, () => { drag = null; });
	node.addEventListener("dblclick", () => timeline.reset());
	node.addEventListener("wheel", (event) => {
		event.preventDefault();
		const [from, to] = timeline.window;
		const at = Math.min(Math.max(momentAt(event), from), to);
		timeline.setWindow(...zoomedAround(timeline.window, at, PER_NOTCH ** Math.sign(event.deltaY)));
	}, { passive: false });
}
