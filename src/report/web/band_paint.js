// band_paint.js - the bands of a run behind the lines of a chart.
import { through } from "./band.js";
import { colour } from "./theme.js";

const STRIP = 3;                // px: of the strips at the top, for waiting and throttling
const FILLED = 2;               // lanes of regions
const NARROWEST = 3;            // px: narrower regions would only be noise

function paintRegions(u, lanes) {
	const { ctx, bbox } = u;
	const ratio = devicePixelRatio || 1;
	lanes.slice(0, FILLED).forEach(({ bands }, depth) => bands.forEach((band) => {
		const [left, right] = [band.start, band.end].map((at) => u.valToPos(at, "x", true));
		if (right < bbox.left || left > bbox.left + bbox.width || right - left < NARROWEST * ratio)
			return;
		ctx.fillStyle = through(colour(band.colour), depth ? 0.035 : 0.05);
		ctx.fillRect(left, bbox.top, right - left, bbox.height);
		ctx.fillStyle = through(colour(band.colour), depth ? 0.2 : 0.4);
		ctx.fillRect(left, bbox.top, ratio, bbox.height);
	}));
}

function paintStrips(u, lanes) {
	const { ctx, bbox } = u;
	const height = STRIP * (devicePixelRatio || 1);
	lanes.forEach(({ bands }, row) => bands.forEach((band) => {
		const [left, right] = [band.start, band.end].map((at) => u.valToPos(at, "x", true));
		ctx.fillStyle = through(colour(band.colour), 0.6);
		ctx.fillRect(left, bbox.top + row * height, Math.max(right - left, 1), height);
	}));
}

function paintMoments(u, marks) {
	const { ctx, bbox } = u;
	const ratio = devicePixelRatio || 1;
	for (const mark of marks) {
		const x = u.valToPos(mark.at, "x", true);
		ctx.strokeStyle = through(colour(mark.colour), mark.colour === "bad" ? 1 : 0.45);
		ctx.lineWidth = mark.colour === "bad" ? 2 * ratio : ratio;
		ctx.setLineDash(mark.colour === "bad" ? [] : [3 * ratio, 3 * ratio]);
		ctx.beginPath();
		ctx.moveTo(x, bbox.top);
		ctx.lineTo(x, bbox.top + bbox.height);
		ctx.stroke();
	}
	ctx.setLineDash([]);
}

// bands: as bandsOf() returns them.
export function paintBands(u, { lanes, marks }) {
	paintRegions(u, lanes.filter(({ kind }) => kind === "region"));
	paintStrips(u, lanes.filter(({ kind }) => kind === "held"));
	paintMoments(u, marks);
}
