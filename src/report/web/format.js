// format.js - formats numbers for people.  Pure: a value and its unit in, text out.  null is an unknown value.

const NO_VALUE = "–";

const powers = (names, base) => names.map((name, i) => [base ** i, name]).reverse();
const BINARY = powers(["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"], 1024);
const DECIMAL = powers(["", "k", "M", "G", "T"], 1000);
const two = (n) => String(n).padStart(2, "0");

// Three significant digits, all digits before the point, groups of thousands: 0.0123, 1.23, 12.3, 1,234.
export function number(value) {
	if (value === null || value === undefined)
		return NO_VALUE;
	if (value < 0)
		return `−${number(-value)}`;
	if (value >= 999.5)
		return Math.round(value).toString().replace(/\B(?=(\d{3})+$)/g, ",");
	if (value < 1e-6 && value > 0)
		return "< 0.000001";
	return String(Number(value.toPrecision(3)));
}

const largest = (units, size) => units.find(([factor]) => size >= factor) ?? units.at(-1);

function bytes(value) {
	// 1,000 KiB would have four digits: 0.977 MiB.
	const [factor, name] = largest(BINARY, (Math.abs(value) * 1024) / 999.5);
	return `${number(value / factor)} ${name}`;
}

function count(value) {
	if (Math.abs(value) < 1e6)
		return number(value);
	const [factor, name] = largest(DECIMAL, Math.abs(value));
	return `${number(value / factor)} ${name}`;
}

// 350 ms, 12.3s, 2m 21.3s, 2h 03m 12s, 3d 04h 05m: as the summary in the terminal prints them.
export function duration(seconds) {
	if (seconds === null || seconds === undefined)
		return NO_VALUE;
	if (seconds < 0)
		return `−${duration(-seconds)}`;
	if (seconds === 0)
		return "0s";
	if (seconds < 0.9995)
		return `${number(seconds * 1000)} ms`;
	if (seconds < 59.95)
		return `${number(seconds)}s`;
	const tenths = Math.round(seconds * 10);
	if (tenths < 36000)
		return `${Math.floor(tenths / 600)}m ${two(Math.floor((tenths % 600) / 10))}.${tenths % 10}s`;
	const whole = Math.round(seconds);
	const [days, hours, minutes] = [Math.floor(whole / 86400), Math.floor(whole / 3600), Math.floor((whole % 3600) / 60)];
	return days ? `${days}d ${two(hours % 24)}h ${two(minutes)}m` : `${hours}h ${two(minutes)}m ${two(whole % 60)}s`;
}

// counted(1, "process", "processes") -> "1 process"
export const counted = (n, one, many) => `${number(n)} ${n === 1 ? one : many}`;

const FORMS = {
	B: bytes,
	"B/s": (value) => `${bytes(value)}/s`,
	s: duration,
	cores: (value) => (value > 0 && value < 0.01 ? `${number(100 * value)} % of a core`
		: `${number(value)} ${value === 1 ? "core" : "cores"}`),
	share: (value) => `${number(100 * value)} %`,
	percent: (value) => `${number(value)} %`,
	count,
	"1/s": (value) => `${count(value)}/s`,
	W: (value) => `${number(value)} W`,
	C: (value) => `${number(value)} °C`,
	ratio: number,
};

export function quantity(value, unit) {
	if (value === null || value === undefined)
		return NO_VALUE;
	const form = FORMS[unit];
	return form ? form(value) : `${number(value)} ${unit ?? ""}`.trim();
}

// Numbers without their unit, beside a chart with the unit in its title.
const few = (value) => (value > 0 && value < 0.001 ? "< 0.001" : number(value));
const SHORT_FORMS = { "B/s": bytes, cores: few, W: number, C: number, "1/s": count, threads: number, GPUs: number };

export function shortQuantity(value, unit) {
	const known = value !== null && value !== undefined;
	return known && SHORT_FORMS[unit] ? SHORT_FORMS[unit](value) : quantity(value, unit);
}

// The unit in a chart's title; byte counts and times have it at each number.
export const UNIT_WORDS = {
	B: "", "B/s": "per second", s: "", cores: "cores", share: "share of the time", percent: "percent",
	count: "number", "1/s": "per second", W: "watts", C: "degrees Celsius", GPUs: "GPUs", threads: "threads",
};

// ---- axes ----------------------------------------------------------------------------------

const decimal = [];
for (let exponent = -6; exponent < 16; exponent++)
	for (const step of [1, 2, 5])
		decimal.push(Number(`${step}e${exponent}`));
const binary = Array.from({ length: 63 }, (_, i) => 2 ** i);
const whole = decimal.filter((step) => step >= 1);

export const TIME_STEPS = [...decimal.filter((step) => step < 1), 1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800,
	3600, 7200, 3 * 3600, 6 * 3600, 12 * 3600, ...[1, 2, 7, 14, 28, 56, 112, 364].map((days) => days * 86400)];

export const stepsOf = (unit) => (unit === "B" || unit === "B/s" ? binary : unit === "count" ? whole : decimal);

// Labels of a value axis, all in the unit that suits the largest of them.
export function axisLabels(values, unit) {
	const top = Math.max(...values.map(Math.abs));
	if (unit === "B" || unit === "B/s") {
		const [factor, name] = largest(BINARY, top);
		return values.map((value) => (value === 0 ? "0" : `${number(value / factor)} ${name}`));
	}
	if (unit === "share")
		return values.map((value) => `${number(100 * value)} %`);
	if (unit === "percent")
		return values.map((value) => `${number(value)} %`);
	if (unit === "s")
		return values.map(duration);
	return values.map(count);
}

// Labels of the time axis: 15s, 5m, 1m 30s, 3h, 2h 30m, 4d.
export function timeLabels(values, step) {
	const top = Math.max(...values);
	return values.map((t) => {
		if (t === 0)
			return "0";
		if (top <= 120)
			return t < 60 ? duration(t) : `${number(t)}s`;
		const [days, hours, minutes, seconds] = [Math.floor(t / 86400), Math.floor(t / 3600), Math.floor(t / 60), Math.floor(t % 60)];
		if (top < 7200)
			return minutes === 0 ? `${seconds}s` : seconds === 0 ? `${minutes}m` : `${minutes}m ${two(seconds)}s`;
		if (step >= 86400)
			return `${days}d`;
		if (step >= 3600)
			return `${hours}h`;
		return step < 60 ? `${hours}h ${two(minutes % 60)}m ${two(seconds)}s` : `${hours}h ${two(minutes % 60)}m`;
	});
}

// ---- the clock on the wall -----------------------------------------------------------------

function zone(date) {
	const minutes = -date.getTimezoneOffset();
	const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60];
	return `UTC${minutes < 0 ? "−" : "+"}${hours}${rest ? `:${two(rest)}` : ""}`;
}

export function dateTime(unixSeconds) {
	if (unixSeconds === null || unixSeconds === undefined)
		return NO_VALUE;
	const date = new Date(unixSeconds * 1000);
	const day = `${date.getFullYear()}-${two(date.getMonth() + 1)}-${two(date.getDate())}`;
	return `${day} ${timeOfDay(unixSeconds)} ${zone(date)}`;
}

// digits: of the second's fraction.
export function timeOfDay(unixSeconds, digits = 0) {
	const date = new Date(Math.round(unixSeconds * 1000));
	const fraction = digits ? `.${String(date.getMilliseconds()).padStart(3, "0").slice(0, digits)}` : "";
	return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}${fraction}`;
}
