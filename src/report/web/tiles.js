// tiles.js - the few figures at the top of a run.  Pure: at most six, none that is 0 or unknown, none twice.
import { duration, number, quantity } from "./format.js";

const OUTCOME_WORDS = {
	succeeded: "succeeded", failed: "failed", running: "still running", ended: "ended", incomplete: "the record ends early",
};

// A quantity of the run on the best of its bases -> [value, basis], both null if unknown.
function known(run, name) {
	const values = run.quantities?.[name] ?? {};
	const basis = ["run", "job", "PSS", "RSS", "threads", "machine"].find((one) => typeof values[one] === "number");
	return basis ? [values[basis], basis] : [null, null];
}

const valuesOf = (run, key) => (run.series ?? []).find((series) => series.key === key)?.mean.filter((value) => value !== null) ?? [];
const highestOf = (run, ...keys) => keys.map((key) => valuesOf(run, key)).filter((values) => values.length)
	.map((values) => values.reduce((most, value) => Math.max(most, value), 0))[0] ?? null;

// An amount from its line of rates; null: unknown.
function amountOf(run, key) {
	const { mean } = (run.series ?? []).find((series) => series.key === key) ?? {};
	return mean ? mean.reduce((sum, rate, i) => sum + (rate ?? 0) * (run.times[i] - (run.times[i - 1] ?? 0)), 0) : null;
}

function time(run) {
	const took = run.duration_seconds ?? null;
	return took === null ? null : {
		label: "Duration", value: duration(took), note: OUTCOME_WORDS[run.outcome] ?? "outcome unknown",
		tone: { succeeded: "good", failed: "bad" }[run.outcome],
	};
}

// The CPU time that it used, of what it could have used.
function cpu(run) {
	const [seconds, basis] = known(run, "cpu_time");
	const [mean] = known(run, "mean_cpu");
	const cores = highestOf(run, "cgroup.cpu_available_cores", "cpu.count");
	const whose = basis === "machine" ? " of the machine" : "";
	if (!seconds)
		return null;
	if (!cores || !run.duration_seconds)
		return { label: `CPU time${whose}`, value: duration(seconds) };
	const share = Math.min((mean ?? seconds / run.duration_seconds) / cores, 1);
	return {
		label: `CPU efficiency${whose}`, value: quantity(share, "share"), share,
		note: `${number(share * cores)} of ${quantity(cores, "cores")}, ${duration(seconds)} in all`,
	};
}

function memory(run) {
	const [bytes, basis] = known(run, "peak_memory");
	const limit = highestOf(run, "cgroup.memory_limit_bytes", "cgroup.memory_available_bytes", "memory.total_bytes");
	if (!bytes)
		return null;
	const of = limit ? `${quantity(bytes / limit, "share")} of ${quantity(limit, "B")}` : "";
	return {
		label: basis === "machine" ? "Peak memory of the machine" : "Peak memory", value: quantity(bytes, "B"),
		share: limit ? Math.min(bytes / limit, 1) : undefined,
		note: [of, basis === "machine" ? "" : basis].filter(Boolean).join(", "),
	};
}

// Two amounts as one tile: the larger one in large letters.
function pair(label, amounts) {
	const [most, rest] = amounts.filter(([bytes]) => bytes > 0).sort(([a], [b]) => b - a);
	if (!most)
		return null;
	const words = ([bytes, word]) => `${quantity(bytes, "B")} ${word}`;
	return { label, value: quantity(most[0], "B"), note: [most[1], rest ? words(rest) : ""].filter(Boolean).join(", ") };
}

function disk(run) {
	const [[read, basis], [written]] = [known(run, "disk_read"), known(run, "disk_written")];
	return pair(basis === "machine" ? "Disk of the machine" : "Disk", [[read, "read"], [written, "written"]]);
}

// That of the job if it is known; the machine's traffic can be that of others.
function network(run) {
	const own = ["process.net_recv_bytes", "process.net_sent_bytes"].map((key) => amountOf(run, key));
	const isKnown = own.some((bytes) => bytes !== null);
	const [received, sent] = isKnown ? own : ["net_received", "net_sent"].map((name) => known(run, name)[0]);
	return pair(isKnown ? "Network (TCP)" : "Network of the machine", [[received, "received"], [sent, "sent"]]);
}

function gpu(run) {
	const [[gpus, basis], [bytes]] = [known(run, "mean_gpu"), known(run, "peak_gpu_memory")];
	if (!gpus && !bytes)
		return null;
	const note = bytes ? `${quantity(bytes, "B")} of its memory` : "";
	return { label: basis === "machine" ? "GPU of the machine" : "GPU", value: quantity(gpus ?? 0, "GPUs"), note };
}

// -> [{ label, value, note?, share? of its limit, tone? }]
export const tilesOf = (run) => [time, cpu, memory, disk, network, gpu].map((tile) => tile(run)).filter(Boolean);
