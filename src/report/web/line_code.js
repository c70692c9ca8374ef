// line_code.js - decodes a long series of numbers: src/report/line_code.h describes the form.  Pure.

const DIGITS = new Uint8Array(128);
[..."ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/"].forEach((digit, i) => { DIGITS[digit.charCodeAt(0)] = i; });

// -> Float64Array of `count` steps; NaN: unknown.
export function decodeSteps(text, count) {
	const steps = new Float64Array(count).fill(NaN);
	let [at, n, last] = [0, 0, 0];

	function number() {
		let [value, weight, digit] = [0, 1, 0];
		do {
			digit = DIGITS[text.charCodeAt(at++)];
			value += (digit & 31) * weight;
			weight *= 32;
		} while (digit & 32);
		return value % 2 ? (1 - value) / 2 : value / 2;
	}

	while (at < text.length && n < count) {
		const sign = text[at];
		if (sign !== "~" && sign !== "_") {
			last += number();
			steps[n++] = last;
			continue;
		}
		at++;
		const end = n + number();
		if (sign === "~")
			steps.fill(last, n, end);
		n = end;
	}
	return steps;
}

// The value of so many steps.
export function valueOfSteps(steps, { floor, ratio }) {
	const size = floor * Math.expm1(Math.abs(steps) * Math.log1p(ratio));
	return steps < 0 ? -size : size;
}
