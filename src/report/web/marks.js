// marks.js - single moments in a chart: a dot with its label, such as a peak that no sample saw.
import { through } from "./band.js";
import { colour } from "./theme.js";

const LINE = 15;

// marks: [{ at: seconds, or null if unknown, value, label }].  Labels are moved until they do not overlap.
export function paintMarks(u, marks) {
	const { ctx, bbox } = u;
	const ratio = devicePixelRatio || 1;
	const taken = [];
	ctx.font = `${11 * ratio}px system-ui, sans-serif`;
	ctx.textBaseline = "middle";
	ctx.textAlign = "left";
	for (const mark of marks) {
		const y = u.valToPos(mark.value, "y", true);
		const x = mark.at === null ? bbox.left + bbox.width : u.valToPos(mark.at, "x", true);
		if (x < bbox.left || x > bbox.left + bbox.width + 1)
			continue;
		ctx.strokeStyle = ctx.fillStyle = colour("ink");
		if (mark.at === null) {
			ctx.setLineDash([2 * ratio, 3 * ratio]);
			ctx.lineWidth = ratio;
			ctx.beginPath();
			ctx.moveTo(bbox.left, y);
			ctx.lineTo(x, y);
			ctx.stroke();
			ctx.setLineDash([]);
		} else {
			ctx.beginPath();
			ctx.arc(x, y, 3.5 * ratio, 0, 2 * Math.PI);
			ctx.fill();
		}
		const width = ctx.measureText(mark.label).width;
		const right = mark.at !== null && x + 8 * ratio + width < bbox.left + bbox.width;
		const left = right ? x + 8 * ratio : Math.max(x - 8 * ratio - width, bbox.left + 4 * ratio);
		const [highest, lowest] = [bbox.top + 8 * ratio, bbox.top + bbox.height - 8 * ratio];
		let middle = Math.min(Math.max(y - 9 * ratio, highest), lowest);
		const meets = (box) => Math.abs(box.middle - middle) < LINE * ratio && box.left < left + width && left < box.right;
		while (taken.some(meets))
			middle += LINE * ratio;
		taken.push({ middle, left, right: left + width });
		ctx.fillStyle = through(colour("card"), 0.85);
		ctx.fillRect(left - 2 * ratio, middle - 7 * ratio, width + 4 * ratio, 14 * ratio);
		ctx.fillStyle = colour("ink");
		ctx.fillText(mark.label, left, middle);
	}
}
