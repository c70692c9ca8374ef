// colours.test.js - the colours of the page stand out from their background, and from each other for all eyes.
import assert from "node:assert/strict";
import { readFileSync } from "node:fs";
import { test } from "node:test";

const css = readFileSync(new URL("../../src/report/web/theme.css", import.meta.url), "utf8");
const [light, dark] = css.split(':root[data-theme="dark"]').map((block) =>
	Object.fromEntries([...block.matchAll(/--([\w-]+): (#[0-9a-f]{6});/g)].map(([, name, value]) => [name, value])));

const SERIES = 12;
const DIFFERENT = 0.08;         // in OKLab; 0.02 is just noticed
const DIFFERENT_FROM_GREY = 0.07;

const linear = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16) / 255)
	.map((v) => (v <= 0.04045 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4));

// WCAG 2.1, relative luminance and contrast.
function contrast(a, b) {
	const [low, high] = [a, b].map((hex) => linear(hex).reduce((sum, v, i) => sum + v * [0.2126, 0.7152, 0.0722][i], 0)).sort((x, y) => x - y);
	return (high + 0.05) / (low + 0.05);
}

// Machado, Oliveira, Fernandes 2009: colours as seen by eyes without one of the three kinds of cones.
const EYES = {
	all: [[1, 0, 0], [0, 1, 0], [0, 0, 1]],
	"no red": [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216], [-0.003882, -0.048116, 1.051998]],
	"no green": [[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413], [-0.01182, 0.04294, 0.968881]],
	"no blue": [[1.255528, -0.076749, -0.178779], [-0.078411, 0.930809, 0.147602], [0.004733, 0.691367, 0.3039]],
};

// Ottosson 2020: distances in OKLab are as large as they look.
function oklab([r, g, b]) {
	const [l, m, s] = [0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b, 0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b,
		0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b].map(Math.cbrt);
	return [0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s, 1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
		0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s];
}

const seen = (hex, eyes) => oklab(eyes.map((row) => Math.min(Math.max(row.reduce((sum, f, i) => sum + f * linear(hex)[i], 0), 0), 1)));
const distance = (a, b) => Math.hypot(...a.map((v, i) => v - b[i]));

for (const [name, theme] of [["light", light], ["dark", dark]]) {
	test(`${name}: text and lines stand out`, () => {
		for (const text of ["ink", "muted", "accent", "good", "bad", "warn"])
			for (const back of ["page", "card"])
				assert.ok(contrast(theme[text], theme[back]) >= 4.5, `${text} on ${back}`);
		for (const line of [...Array.from({ length: SERIES }, (_, i) => `series-${i + 1}`), "machine", "limit"])
			assert.ok(contrast(theme[line], theme.card) >= 3, `${line}: ${contrast(theme[line], theme.card)}`);
	});

	test(`${name}: series differ for every kind of colour vision`, () => {
		const series = Array.from({ length: SERIES }, (_, i) => theme[`series-${i + 1}`]);
		for (const [kind, eyes] of Object.entries(EYES)) {
			for (const a of series)
				assert.ok(distance(seen(a, eyes), seen(theme.machine, eyes)) > DIFFERENT_FROM_GREY, `${a} and grey, ${kind}`);
			series.forEach((a, i) => series.slice(0, i).forEach((b) =>
				assert.ok(distance(seen(a, eyes), seen(b, eyes)) > DIFFERENT, `${a} and ${b}, ${kind}`)));
		}
	});
}
