// csv.js - tables as CSV (RFC 4180), generated and saved by the page.

const RELEASED_AFTER_MS = 60_000;         // a busy browser takes seconds until it reads what it shall save

// A spreadsheet would evaluate a text that begins like a formula; an apostrophe before it prevents that.
function cell(value) {
	if (value === null || value === undefined)
		return "";
	if (typeof value === "number")
		return String(value);
	const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : String(value);
	return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

// toCsv(["a", "b"], [[1, "x"], [null, "y"]]) -> "a,b\r\n1,x\r\n,y\r\n"
export function toCsv(columns, rows) {
	return [columns, ...rows].map((row) => `${row.map(cell).join(",")}\r\n`).join("");
}

// Lines of a chart as columns: the time, then each line with its spread and bounds where it has them.
// -> { columns, rows, units }: units[i] is the unit of columns[i], for people.
export function lineTable(lines) {
	const several = new Set(lines.map((line) => line.times)).size > 1;
	if (several)
		return longTable(lines);
	const columns = [{ name: "time_seconds", label: "time", unit: "moment", values: lines[0]?.times ?? [] }];
	const taken = new Set();
	for (const line of lines) {
		const name = taken.has(line.key) ? `${line.key} ${line.label}` : line.key;
		taken.add(name);
		const parts = [["", "", line.mean], ["_min", " (min)", line.min], ["_max", " (max)", line.max],
			["_lower", " (at least)", line.low], ["_upper", " (at most)", line.high]];
		for (const [suffix, word, values] of parts)
			if (values)
				columns.push({ ...line, name: name + suffix, label: line.label + word, values });
	}
	return {
		columns: columns.map(({ name }) => name), labels: columns.map(({ label }) => label),
		units: columns.map(({ unit }) => unit),
		rows: columns[0].values.map((_, i) => columns.map(({ values }) => values[i] ?? null)),
	};
}

// Lines of several runs have times of their own, so each value is a row.
function longTable(lines) {
	return {
		columns: ["run", "time_seconds", lines[0].key, `${lines[0].key}_min`, `${lines[0].key}_max`],
		labels: ["run", "time", lines[0].quantity ?? lines[0].label, "min", "max"],
		units: ["text", "moment", lines[0].unit, lines[0].unit, lines[0].unit],
		rows: lines.flatMap((line) => line.times.map((t, i) =>
			[line.label, t, line.mean[i] ?? null, line.min?.[i] ?? null, line.max?.[i] ?? null])),
	};
}

function fileName(words, ending) {
	const safe = words.replace(/[^A-Za-z0-9._-]+/g, "-").replace(/^[-.]+|-+$/g, "").slice(0, 80);
	return `${safe || "data"}.${ending}`;
}

export function saveFile(words, ending, blob) {
	const address = URL.createObjectURL(blob);
	const link = document.createElement("a");
	link.href = address;
	link.download = fileName(words, ending);
	link.click();
	setTimeout(() => URL.revokeObjectURL(address), RELEASED_AFTER_MS);
}

export function saveCsv(words, columns, rows) {
	saveFile(words, "csv", new Blob([toCsv(columns, rows)], { type: "text/csv;charset=utf-8" }));
}
