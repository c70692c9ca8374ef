// job_data.js - a job over all its ranks, from its data; docs/reference/report-data.md describes them.  Pure.
import { decodeSteps, valueOfSteps } from "./line_code.js";

const objectsOf = ({ columns, rows }) => rows.map((row) => Object.fromEntries(columns.map((name, i) => [name, row[i]])));

// The values of a line of the map: for each rank those of its intervals, rank after rank; NaN: unknown.
function valuesOf(line, map, ranks) {
	const values = decodeSteps(line.values, ranks * map.points);
	for (let i = 0; i < values.length; i++)
		values[i] = valueOfSteps(values[i], { floor: line.floor, ratio: map.ratio });
	return values;
}

// The most of the values; 0: nothing is known.
export function mostOf(values) {
	let most = 0;
	for (const value of values)
		if (value > most)
			most = value;
	return most;
}

// The middle of a sorted part of an array; NaN of nothing.
const middle = (sorted, n) => (n ? sorted[(n - 1) >> 1] : NaN);

function median(values) {
	const known = Float64Array.from(values).filter((value) => !Number.isNaN(value)).sort();
	return middle(known, known.length);
}

// The median rank in each interval.
export function mediansOf(values, points) {
	const rows = values.length / points;
	return Float64Array.from({ length: points }, (_, i) => {
		const column = new Float64Array(rows);
		for (let row = 0; row < rows; row++)
			column[row] = values[row * points + i];
		return median(column);
	});
}

// The mean of a rank over the intervals that are known of it; NaN: none is.
export function meanOf(values, points, row) {
	let [sum, known] = [0, 0];
	for (let i = row * points; i < (row + 1) * points; i++)
		if (!Number.isNaN(values[i])) {
			sum += values[i];
			known++;
		}
	return sum / known;
}

// Of the ranks [from, to) the one that is farthest from the median in an interval, so that a rank that stands out is
// seen however many share a line; -1: nothing is known of them.
export function farthest(values, medians, points, [from, to], i) {
	let [found, most] = [-1, -1];
	for (let row = from; row < to; row++) {
		const distance = Math.abs(values[row * points + i] - medians[i]);
		if (distance > most)
			[found, most] = [row, distance];
	}
	return found;
}

// -> the data with nodes and ranks as objects; a node has the `first` of its ranks; map.lines have values(), medians()
// and most(), which are computed once.
export function readJob(data) {
	const nodes = objectsOf(data.nodes);
	const ranks = objectsOf(data.ranks);
	let first = 0;
	for (const node of nodes) {
		node.first = first;
		first += node.ranks;
	}
	const once = (make) => {
		let made = null;
		return () => (made ??= make());
	};
	const lines = data.map.lines.map((line) => {
		const values = once(() => valuesOf(line, data.map, ranks.length));
		const medians = once(() => mediansOf(values(), data.map.points));
		return { ...line, values, medians, most: once(() => ({ value: mostOf(values()) })) };
	});
	return { ...data, nodes, ranks, map: { ...data.map, lines } };
}

// "rank 3", "rank 3 of step 1" where there are several starts.
export function rankName(job, row) {
	const { rank, launch } = job.ranks[row];
	const { step } = job.launches[launch];
	return `${job.kind} ${rank}${job.launches.length > 1 && step !== null ? ` of step ${step}` : ""}`;
}

export const nodeName = (job, row) => job.nodes[job.ranks[row].node].name;

// The ranks of a status, by it: Map { "ok" => [rows], ... }, in the order in which they come.
export function byStatus(job) {
	const found = new Map();
	job.ranks.forEach(({ status }, row) => {
		if (!found.has(status))
			found.set(status, []);
		found.get(status).push(row);
	});
	return found;
}
