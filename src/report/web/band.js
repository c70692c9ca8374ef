// band.js - the area between two curves: spread, bounds, stacked areas.

// paintBand(u, { times, low, high, stepped, fill, edge }): low can be a number; unknown values leave a gap.  edge
// strokes the upper curve, so that a spike one bucket wide is visible even if its area is too thin.
export function paintBand(u, { times, low, high, stepped, fill, edge, edgeWidth = 1 }) {
	const { ctx } = u;
	const ratio = devicePixelRatio || 1;
	const x = (t) => u.valToPos(t, "x", true);
	const y = (v) => u.valToPos(v, "y", true);
	const lowAt = typeof low === "number" ? () => low : (i) => low[i];
	const known = (i) => (high[i] ?? null) !== null && (lowAt(i) ?? null) !== null;
	const area = new Path2D();
	const line = new Path2D();

	// The corners of a curve over the buckets first...last, from left to right.
	function corners(first, last, at) {
		const points = [];
		for (let i = first; i <= last; i++) {
			if (stepped)
				points.push([x(i > 0 ? times[i - 1] : Math.min(0, times[0])), y(at(i))]);
			points.push([x(times[i]), y(at(i))]);
		}
		return points;
	}

	function part(first, last) {
		const upper = corners(first, last, (i) => high[i]);
		const lower = corners(first, last, lowAt).reverse();
		[...upper, ...lower].forEach(([px, py], i) => (i ? area.lineTo(px, py) : area.moveTo(px, py)));
		area.closePath();
		upper.forEach(([px, py], i) => (i ? line.lineTo(px, py) : line.moveTo(px, py)));
	}

	// One bucket more on each side of the visible ones, so that curves continue to the edge of the picture.
	const [from, to] = [u.scales.x.min, u.scales.x.max];
	let begin = -1;
	for (let i = 0; i < times.length; i++) {
		const near = (times[i + 1] ?? Infinity) >= from && (i < 2 || times[i - 2] <= to);
		if (near && known(i)) {
			if (begin < 0)
				begin = i;
		} else if (begin >= 0) {
			part(begin, i - 1);
			begin = -1;
		}
	}
	if (begin >= 0)
		part(begin, times.length - 1);
	if (fill) {
		ctx.fillStyle = fill;
		ctx.fill(area);
	}
	if (edge) {
		ctx.strokeStyle = edge;
		ctx.lineWidth = edgeWidth * ratio;
		ctx.lineJoin = "round";
		ctx.stroke(line);
	}
}

// A colour of theme.css (all are #rrggbb) with an alpha value.
export const through = (hex, alpha) => hex + Math.round(alpha * 255).toString(16).padStart(2, "0");
