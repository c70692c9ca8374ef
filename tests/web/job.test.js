// job.test.js - the page of a job over all its ranks: its map, what it names, by pointer, keyboard and screen reader.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { farthest, meanOf, mediansOf, readJob } from "../../src/report/web/job_data.js";
import { axeSource, download, openText, settled, startBrowser, stopBrowser, template } from "./browser.js";
import { jobOf, jobPage, SLOW } from "./jobs.js";
import { HOSTILE } from "./runs.js";

before(startBrowser);
after(stopBrowser);

async function openJob(job, options) {
	const page = await openText(jobPage(template, job), options);
	await page.waitForFunction(() => document.querySelector("#map .plot").dataset.window);
	return page;
}

// A test with a page of its own, which must cause no error and request nothing from outside.
function onJob(name, job, options, body) {
	test(name, async () => {
		const page = await openJob(job, options);
		await body(page);
		assert.deepEqual(page.troubles, []);
		await page.close();
	});
}

// The colour in the middle of a rank's line, at a share of the time: [red, green, blue].
const colourAt = (page, row, rows, share) => page.$eval("#map canvas", (canvas, [y, x]) => {
	const plot = canvas.closest(".uplot").querySelector(".u-over");
	const ratio = devicePixelRatio;
	const [left, top] = [(plot.offsetLeft + plot.clientWidth * x) * ratio, (plot.offsetTop + plot.clientHeight * y) * ratio].map(Math.floor);
	const copy = Object.assign(document.createElement("canvas"), { width: 1, height: 1 }).getContext("2d");
	copy.drawImage(canvas, left, top, 1, 1, 0, 0, 1, 1);
	return [...copy.getImageData(0, 0, 1, 1).data.slice(0, 3)];
}, [(row + 0.5) / rows, share]);

const brightness = (rgb) => rgb.reduce((sum, one) => sum + one, 0);

async function pointAt(page, x, y) {
	const plot = page.locator("#map .u-over");
	await plot.scrollIntoViewIfNeeded();
	const box = await plot.boundingBox();
	await page.mouse.move(box.x + box.width * x - 3, box.y + box.height * y);
	await page.mouse.move(box.x + box.width * x, box.y + box.height * y);
	await settled(page);
}

test("values are decoded, and unknown ones stay unknown", () => {
	const job = readJob(jobOf({ count: 4, points: 8 }));
	const [cpu, , waiting] = job.map.lines;
	assert.equal(cpu.values().length, 32);
	assert.ok(Math.abs(meanOf(cpu.values(), 8, SLOW) - 0.3) < 0.01);
	assert.ok(Math.abs(cpu.most().value - 0.94) < 0.02);
	assert.ok(waiting.values().every(Number.isNaN) && waiting.most().value === 0 && Number.isNaN(waiting.medians()[0]));
	assert.deepEqual(job.nodes.map(({ first }) => first), [0, 2]);
});

test("a rank that stands out is shown, however many share a line", () => {
	const values = Float64Array.from([5, 5, 5, 1, 5, 9.5, NaN, 5]);       // 8 ranks, one interval
	const medians = mediansOf(values, 1);
	assert.equal(medians[0], 5);
	assert.equal(farthest(values, medians, 1, [0, 8], 0), 5);
	assert.equal(farthest(values, medians, 1, [0, 5], 0), 3);
	assert.equal(farthest(values, medians, 1, [6, 7], 0), -1);
});

onJob("the map shows a straggler, and names it", jobOf(), {}, async (page) => {
	const [slow, other, nothing] = [await colourAt(page, SLOW, 6, 0.3), await colourAt(page, 0, 6, 0.3), [255, 255, 255]];
	assert.ok(brightness(slow) > brightness(other) + 100 && brightness(nothing) > brightness(slow), `${slow} ${other}`);
	assert.match(await page.textContent("#map figcaption"), /of 6 ranks: median 0\.9\d* cores, least 0\.(3|29)\d* cores \(rank 3 on node1\)/);
	await pointAt(page, 0.5, (SLOW + 0.5) / 6);
	assert.match(await page.textContent("#map .readout"), /^rank 3 on node1 at (29m|30m).*: 0\.(3|29)\d* cores; median 0\.9/);
	const row = await page.locator("#section-stragglers tbody tr").allTextContents();
	assert.ok(row.length === 1 && /rank 3.*throttled.*throttled by the quota for 20m/.test(row[0]), row[0]);
});

onJob("what is missing, failed, cut off, left out and ahead is named", jobOf(), {}, async (page) => {
	assert.equal(await page.textContent("h1"), "slurm job 7");
	const warnings = await page.locator(".warnings li").allTextContents();
	assert.deepEqual(warnings, ["3 ranks without a record: 6, 8 to 9.", "1 rank ended with exit 3: rank 1.", "1 record cut off: rank 2.",
		"Clocks differ from that of the median node, and are aligned here: node1 is 1h 00m 00s ahead.", "1 file is not added: below, Files."]);
	assert.match(await page.textContent("#section-files"), /\/records\/x\.jsonl\s*cannot be read/);
	const tiles = await page.locator(".tile").allTextContents();
	assert.ok(tiles.length <= 6 && tiles.some((tile) => /^Missing3/.test(tile)) && tiles.some((tile) => /^CPU efficiency83 %/.test(tile)), `${tiles}`);
});

onJob("regions are laid over each other", jobOf(), {}, async (page) => {
	const [row] = await page.locator("#section-regions tbody tr").allTextContents();
	assert.match(row, /^solve\/exchange0\.26?0?6601m 00\.0s50m 00\.0s56m 40\.0s10m 00\.0srank 0$/);
});

onJob("quantity and node are chosen", jobOf(), {}, async (page) => {
	await page.selectOption("#map-quantity", "memory");
	await page.waitForFunction(() => document.querySelector("#map .plot").dataset.window);
	assert.match(await page.textContent("#map h3"), /^Memory \(PSS\) of each rank/);
	assert.match(await page.textContent("#map figcaption"), /most 1\.8\d* GiB \(rank 5 on node2\)/);
	await page.selectOption("#map-node", "1");
	await page.waitForFunction(() => document.querySelector("#map .plot").dataset.window);
	assert.match(await page.textContent("#map figcaption"), /of 2 ranks: .*least .*\(rank 2 on node1\), most .*\(rank 3 on node1\)/);
	await page.selectOption("#map-quantity", "waiting");
	assert.equal(await page.textContent("#map figcaption"), "Nothing is known of these ranks.");
});

onJob("the map works by keyboard, and is spoken", jobOf(), {}, async (page) => {
	await page.locator("#map .plot").focus();
	for (let i = 0; i <= SLOW; i++)
		await page.keyboard.press("ArrowDown");
	await settled(page);
	assert.match(await page.textContent("[role=status]"), /^rank 3 on node1 at 0s: 0\.(3|29)/);
	await page.keyboard.press("ArrowUp");
	await page.keyboard.press("ArrowRight");
	await settled(page);
	assert.match(await page.textContent("[role=status]"), /^rank 2 on node1 at 7m 30/);
	await page.keyboard.press("+");
	await settled(page);
	assert.notEqual(await page.getAttribute("#map .plot", "data-window"), "0 3600");
});

onJob("the map and the ranks are saved as CSV", jobOf(), {}, async (page) => {
	const map = await download(page, () => page.getByLabel("Save the map as CSV").click());
	const lines = map.text.trim().split("\r\n").map((line) => line.split(","));
	assert.deepEqual([map.name, lines.length, lines[0].length, lines[0][2]], ["job-7-cpu.csv", 7, 18, "until_225_seconds"]);
	assert.deepEqual(lines[1 + SLOW].slice(0, 2), ["3", "node1"]);
	assert.ok(Math.abs(Number(lines[1 + SLOW][9]) - 0.3) < 0.01);
	const ranks = await download(page, () => page.getByLabel("Save the table Ranks as CSV").click());
	assert.equal(ranks.text.trim().split("\r\n").length, 7);
	const picture = await download(page, () => page.getByLabel("Save the picture of the map as SVG").click());
	assert.match(picture.text, /^<svg/);
});

onJob("the picture follows the theme", jobOf(), { theme: "dark" }, async (page) => {
	const dark = await colourAt(page, SLOW, 6, 0.3);
	await page.getByRole("button", { name: "Light theme" }).click();
	await settled(page);
	assert.notDeepEqual(await colourAt(page, SLOW, 6, 0.3), dark);
});

onJob("ten thousand ranks have their place, and the one that differs is seen", jobOf({ count: 10000, together: 64, points: 32 }), {}, async (page) => {
	assert.match(await page.textContent("#map figcaption"), /Up to 16 ranks share a line/);
	const [slow, other] = [await colourAt(page, 0, 640, 0.3), await colourAt(page, 300, 640, 0.3)];
	assert.ok(brightness(slow) > brightness(other) + 100, `${slow} ${other}`);
	await page.selectOption("#map-node", "0");
	assert.match(await page.textContent("#map figcaption"), /of 64 ranks: .*least 0\.(3|29)\d* cores \(rank 3 on node0\)/);
	assert.equal(await page.locator("#section-ranks tbody tr").count(), 12);
});

onJob("hostile names are text", jobOf({ names: (i) => `${HOSTILE}${i}` }), {}, async (page) => {
	assert.equal(await page.evaluate(() => document.querySelectorAll("main script, main img, main iframe").length), 0);
	assert.ok((await page.textContent("#section-nodes")).includes("0"));
});

test("without any outline there is no map, and the rest is there", async () => {
	const page = await openText(jobPage(template, jobOf({ map: { seconds: 0, points: 64, ratio: 0.02, lines: [] } })));
	assert.equal(await page.locator("#map").count(), 0);
	assert.equal(await page.locator("#section-ranks tbody tr").count(), 6);
	assert.deepEqual(page.troubles, []);
	await page.close();
});

for (const theme of ["light", "dark"])
	onJob(`axe-core finds no fault: ${theme}`, jobOf(), { theme }, async (page) => {
		await page.evaluate(axeSource);
		await page.$$eval("details", (all) => all.forEach((one) => { one.open = true; }));
		await settled(page);
		const { violations } = await page.evaluate(() => window.axe.run(document, { resultTypes: ["violations"] }));
		assert.deepEqual(violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.target).join(", ")}`), []);
	});

onJob("a phone needs no sideways scrolling", jobOf(), { width: 375 }, async (page) => {
	assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 375);
});

onJob("on paper the map and all tables but the long ones are there", jobOf(), {}, async (page) => {
	const pdf = await page.pdf({ format: "A4" });
	assert.ok(pdf.length > 5000 && (pdf.toString("latin1").match(/\/Type \/Page\b/g) ?? []).length <= 3);
});
