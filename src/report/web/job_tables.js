// job_tables.js - a job over all its ranks as tables.
import { counted, duration, number, quantity } from "./format.js";
import { nodeName, rankName } from "./job_data.js";
import { makeTable } from "./table.js";

const CAUSES = {
	throttled: "throttled", swapping: "swapping", disk: "waiting for a disk", other_load: "other load on its node",
	cpu: "waiting for a CPU", work: "more to compute", unknown: "unknown",
};

const SPREADS = [
	["duration_seconds", "Duration", "s"], ["cpu_seconds", "CPU time", "s"], ["mean_cores", "Cores on average", "cores"],
	["peak_memory_bytes", "Peak memory", "B"], ["waited_seconds", "Waiting", "s"],
];

const column = (name, label, unit = "text", more = {}) => ({ name, label, unit, ...more });

export function stragglerTable(job) {
	return makeTable({
		title: "Stragglers", file: "stragglers",
		columns: [column("rank", "Rank"), column("node", "Node"), column("behind", "Behind", "share"), column("cause", "Cause"), column("why", "Why", "text", { wide: true })],
		rows: job.stragglers.map(({ node, behind, cause, why }, i) =>
			[rankName(job, job.straggler_rows[i]), node, behind, CAUSES[cause] ?? cause, why]),
	});
}

export function spreadTable(job) {
	return makeTable({
		title: "Spread", file: "spread",
		columns: [column("quantity", "Quantity"), column("imbalance", "Max / mean", "ratio"), column("least", "Least"), column("least_rank", "Of"), column("median", "Median"),
			column("p95", "95 % at most"), column("most", "Most"), column("most_rank", "Of")],
		rows: SPREADS.filter(([key]) => job.spread[key]).map(([key, label, unit]) => {
			const { least, median, p95, most, imbalance, least_rank: lowest, most_rank: highest } = job.spread[key];
			const words = (value) => quantity(value, unit);
			return [label, imbalance, words(least), `${job.kind} ${lowest}`, words(median), words(p95), words(most), `${job.kind} ${highest}`];
		}),
	});
}

export function regionTable(job) {
	return makeTable({
		title: "Regions", file: "regions",
		columns: [column("path", "Region", "text", { wide: true }), column("imbalance", "Max / mean", "ratio"), column("ranks", "Ranks", "count"), column("count", "Entries", "count"),
			column("least_seconds", "Least", "s"), column("median_seconds", "Median", "s"), column("p95_seconds", "95 % at most", "s"), column("most_seconds", "Most", "s"),
			column("most_rank", "Of")],
		rows: job.regions.map((region) => [region.path, region.imbalance, region.ranks, region.count, region.least, region.median, region.p95, region.most,
			`${job.kind} ${region.most_rank}`]),
	});
}

export function nodeTable(job) {
	const ahead = job.nodes.some(({ clock_ahead_seconds: seconds }) => seconds !== null);
	return makeTable({
		title: "Nodes", file: "nodes",
		columns: [column("node", "Node"), column("ranks", "Ranks", "count"), column("cpu_seconds", "CPU time", "s"), column("memory_bytes", "Memory", "B"),
			column("cpus", "CPUs", "count"), column("machine_busy_cores", "Machine busy", "cores"), column("machine_other_cores", "By others", "cores"),
			...(ahead ? [column("clock_ahead_seconds", "Clock ahead", "s")] : [])],
		rows: job.nodes.map((node) => [node.name, node.ranks, node.cpu_seconds, node.memory_bytes, node.cpus, node.machine_busy_cores,
			node.machine_other_cores, ...(ahead ? [node.clock_ahead_seconds] : [])]),
	});
}

export function rankTable(job) {
	return makeTable({
		title: "Ranks", file: "ranks", isDetail: true,
		columns: [column("rank", "Rank"), column("node", "Node"), column("status", "Status"), column("seconds", "Duration", "s"), column("cpu_seconds", "CPU time", "s"),
			column("memory_bytes", `Peak memory (${job.totals.memory_basis})`, "B"), column("disk_bytes", "Disk", "B"), column("net_bytes", "TCP", "B"),
			column("waited_seconds", "Waiting", "s")],
		rows: job.ranks.map((rank, row) => [rankName(job, row), nodeName(job, row), rank.status === "truncated" ? "cut off" : rank.status, rank.seconds, rank.cpu_seconds,
			rank.memory_bytes, rank.disk_bytes, rank.net_bytes, rank.waited_seconds]),
	});
}

const LEFT_OUT = {
	around: "without a rank, such as the batch script: it can contain ranks", earlier: "of an earlier attempt", unreadable: "cannot be read",
};

export function leftOutTable(job) {
	return makeTable({
		title: "Files that are not added", file: "left-out",
		columns: [column("record", "File", "text", { wide: true }), column("why", "Why")],
		rows: job.left_out.map(({ record, why }) => [record, LEFT_OUT[why] ?? why]),
	});
}

// At most six tiles, none of them unknown.
export function jobTiles({ totals, missing, kind }) {
	const of = (share, value, unit, owner) => (share === null ? undefined : `${quantity(share, "share")} of ${quantity(value, unit)} ${owner}`);
	const both = (a, b) => (a === null && b === null ? null : (a ?? 0) + (b ?? 0));
	const [disk, net] = [both(totals.disk_read_bytes, totals.disk_written_bytes), both(totals.net_received_bytes, totals.net_sent_bytes)];
	return [
		totals.seconds !== null && { label: "Duration", value: duration(totals.seconds), note: "from the first start to the last end" },
		totals.cpu_efficiency !== null ? {
			label: "CPU efficiency", value: quantity(totals.cpu_efficiency, "share"), share: Math.min(totals.cpu_efficiency, 1),
			note: `of ${counted(totals.cpus, "CPU", "CPUs")} of the ${totals.cpus_of}, ${duration(totals.cpu_seconds)} in all`,
		} : totals.cpu_seconds !== null && { label: "CPU time", value: duration(totals.cpu_seconds) },
		totals.memory_bytes !== null && {
			label: `Memory (${totals.memory_basis})`, value: quantity(totals.memory_bytes, "B"),
			share: totals.memory_efficiency === null ? undefined : Math.min(totals.memory_efficiency, 1),
			note: of(totals.memory_efficiency, totals.available_memory_bytes, "B", totals.available_memory_of === "job" ? "requested" : "of its nodes"),
		},
		missing > 0 && { label: "Missing", value: number(missing), note: `${missing === 1 ? kind : `${kind}s`} without a record`, tone: "bad" },
		disk !== null && { label: "Disk", value: quantity(disk, "B"), note: `${quantity(totals.disk_read_bytes, "B")} read, ${quantity(totals.disk_written_bytes, "B")} written` },
		net !== null && { label: "TCP", value: quantity(net, "B"), note: `${quantity(totals.net_received_bytes, "B")} received, ${quantity(totals.net_sent_bytes, "B")} sent` },
	].filter(Boolean);
}
