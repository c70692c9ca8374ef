// jobs.js - made-up jobs over all their ranks, for the tests of the page.
import { coded } from "./runs.js";

const [RATIO, FLOOR] = [0.02, 0.001];
const stepsOf = (value) => Math.round(Math.log1p(value / FLOOR) / Math.log1p(RATIO));

export const SLOW = 3;          // this rank uses a third of the CPU of the others, and is named as a straggler

// count ranks, `together` on each node, over an hour in `points` intervals; names: of the nodes.
export function jobOf({ count = 6, together = 2, points = 16, names = (i) => `node${i}`, ...more } = {}) {
	const rows = Array.from({ length: count }, (_, i) => i);
	const nodes = Math.ceil(count / together);
	const cpu = rows.flatMap((row) => Array.from({ length: points }, (_, i) => stepsOf(row === SLOW ? 0.3 : 0.9 + 0.01 * ((row + i) % 5))));
	const memory = rows.flatMap((row) => Array.from({ length: points }, () => stepsOf(2 ** 30 * (1 + row / count))));
	const spread = (least, most) => ({ least, least_rank: SLOW, median: 3000, p95: 3400, most, most_rank: 0, mean: 3000, imbalance: most / 3000 });
	const one = { rank: SLOW, step: "0", node: names(Math.floor(SLOW / together)), behind: 0.4, cause: "throttled", why: "its CPUs were throttled by the quota for 20m 00.0s" };
	return {
		kind: "rank", scheduler: "slurm", job: "7", missing: 3, missing_ranks: [{ step: "0", first: count, last: count }, { step: "0", first: count + 2, last: count + 3 }],
		totals: {
			seconds: 3600, starts_apart_seconds: 0, cpu_seconds: 3000 * count, memory_bytes: 2 ** 30 * count, memory_basis: "PSS", disk_read_bytes: 1e9,
			disk_written_bytes: 0, net_received_bytes: null, net_sent_bytes: null, cpus: count, cpus_of: "job", cpu_efficiency: 0.83,
			available_memory_bytes: 2 ** 31 * count, available_memory_of: "job", memory_efficiency: 0.5,
		},
		spread: { duration_seconds: spread(3500, 3600), cpu_seconds: spread(1080, 3400) },
		regions: [{ path: "solve/exchange", ranks: count, count: 10 * count, ...spread(60, 600) }],
		stragglers: [one], straggler_rows: [SLOW], all_stragglers: 1, left_out: [{ record: "/records/x.jsonl", why: "unreadable" }], all_left_out: 1,
		launches: [{ step: "0", present: count, size: count + 4 }],
		nodes: {
			columns: ["name", "ranks", "cpu_seconds", "memory_bytes", "cpus", "machine_busy_cores", "machine_other_cores", "clock_ahead_seconds"],
			rows: Array.from({ length: nodes }, (_, i) => [names(i), Math.min(together, count - i * together), 6000, 2 ** 31, together, 1.5, 0.1, i === 1 ? 3600 : null]),
		},
		ranks: {
			columns: ["rank", "launch", "node", "status", "seconds", "cpu_seconds", "memory_bytes", "disk_bytes", "net_bytes", "waited_seconds"],
			rows: rows.map((row) => [row, 0, Math.floor(row / together), row === 1 ? "exit 3" : row === 2 ? "truncated" : "ok", 3600, 3240, 2 ** 30, 0, null, 36]),
		},
		map: {
			seconds: 3600, points, ratio: RATIO,
			lines: [{ key: "cpu", label: "CPU", unit: "cores", floor: FLOOR, values: coded(cpu) },
				{ key: "memory", label: "Memory (PSS)", unit: "B", floor: FLOOR, values: coded(memory) },
				{ key: "waiting", label: "Waiting", unit: "threads", floor: FLOOR, values: "_" + coded([count * points]) }],
		},
		...more,
	};
}

export function jobPage(template, job) {
	const data = JSON.stringify({ format: 1, program: "resource-tracker 0.1.0", made_at: 1795204000, runs: [], job }).replaceAll("<", "\\u003c");
	return template.replace("<!--REPORT-DATA-->", () => `<script type="application/json" id="report-data">${data}</script>`);
}
