// timeline.js - the visible part of the time, and the moment at the crosshair: shared by all charts.

// makeTimeline(end) -> a timeline over 0...end seconds.  listen(f) calls f({ window, cursor }) after each
// change, once for each frame.
export function makeTimeline(end, nextFrame = (f) => requestAnimationFrame(f)) {
	const listeners = new Set();
	let whole = [0, Math.max(end, 1e-3)];
	let window = whole;
	let cursor = null;
	let waiting = false;

	function changed() {
		if (waiting)
			return;
		waiting = true;
		nextFrame(() => {
			waiting = false;
			for (const listener of listeners)
				listener({ window, cursor });
		});
	}

	const self = {
		get window() { return window; },
		get cursor() { return cursor; },
		get end() { return whole[1]; },
		get isWhole() { return window === whole; },
		listen(listener) {
			listeners.add(listener);
			return () => listeners.delete(listener);
		},
		setWindow(from, to) {
			const shortest = whole[1] / 1e5;
			const span = Math.max(to - from, shortest);
			const begin = Math.min(Math.max(from, 0), whole[1] - shortest);
			const finish = Math.min(begin + span, whole[1]);
			window = begin <= 0 && finish >= whole[1] ? whole : [begin, finish];
			changed();
		},
		setCursor(at) {
			if (at !== null)
				at = Math.min(Math.max(at, 0), whole[1]);
			if (at !== cursor) {
				cursor = at;
				changed();
			}
		},
		// The end of a run that goes on, or of runs that are aligned anew: a window that shows its newest moment goes on with it.
		setEnd(now) {
			const [from, to] = window;
			const [isWhole, isNewest, by] = [window === whole, to >= whole[1], now - whole[1]];
			if (by === 0)
				return;
			whole = [0, now];
			window = isWhole || by < 0 ? whole : isNewest ? [from + by, now] : window;
			changed();
		},
		// zoom(0.5) shows half as much, around the cursor or the middle; zoom(2) twice as much.
		zoom(factor) {
			const [from, to] = window;
			const middle = cursor !== null && cursor >= from && cursor <= to ? cursor : (from + to) / 2;
			const span = Math.min((to - from) * factor, whole[1]);
			const begin = Math.min(Math.max(middle - (middle - from) * factor, 0), whole[1] - span);
			self.setWindow(begin, begin + span);
		},
		// pan(0.5) moves by half of the visible part, later or (negative) earlier.
		pan(share) {
			const [from, to] = window;
			const span = to - from;
			const begin = Math.min(Math.max(from + share * span, 0), whole[1] - span);
			self.setWindow(begin, begin + span);
		},
		reset() {
			self.setWindow(0, whole[1]);
		},
	};
	return self;
}
