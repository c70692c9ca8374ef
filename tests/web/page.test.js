// page.test.js - the report's page in a browser: the actions of a user, and errors that must never occur.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { download, open, openText, seeAll, settled, startBrowser, stopBrowser, template, windows } from "./browser.js";
import { almostNothing, compared, day, everything, holes, HOSTILE, hostile, pageOf, ranks, SPIKE_AT } from "./runs.js";

before(startBrowser);
after(stopBrowser);

const near = (a, b) => Math.abs(a - b) <= 1e-6 * Math.max(Math.abs(a), Math.abs(b));

// The place of a chart's plot, once it is in sight.
async function plotBox(page, chart) {
	const plot = page.locator(`${chart} .u-over`).first();
	await plot.scrollIntoViewIfNeeded();
	return plot.boundingBox();
}

// Presses the button, which says so for a moment.
async function copied(button) {
	const element = await button.elementHandle();
	await element.evaluate((one) => {
		one.said = "";
		new MutationObserver(() => { one.said += one.textContent; })
			.observe(one, { characterData: true, childList: true, subtree: true });
	});
	await button.click();
	await button.page().waitForFunction((one) => one.said.includes("Copied"), element);
}

// A test with a page of its own, which must cause no error and request nothing from outside.
function onPage(name, runs, options, body) {
	test(name, async () => {
		const page = await open(runs, options);
		await body(page);
		assert.deepEqual(page.troubles, []);
		await page.close();
	});
}

// Tests that share the page of a run with everything: opening one takes longer than the tests.
let shared = null;
const run = everything();
after(() => shared?.close());

function onSharedPage(name, body) {
	test(name, async () => {
		if (!shared)
			await seeAll(shared = await open([run]));
		await shared.mouse.move(1, 1);
		await shared.evaluate(() => {
			document.querySelector(".reset").click();
			window.scrollTo(0, 0);
		});
		await settled(shared);
		await body(shared);
		assert.deepEqual(shared.troubles, []);
	});
}

test("the page without data is small and has the marker once", () => {
	assert.ok(Buffer.byteLength(template) <= 300 * 1024, `${Buffer.byteLength(template)} bytes`);
	assert.equal(template.split("<!--REPORT-DATA-->").length, 2);
	assert.doesNotMatch(template, /<(script|link|img|iframe)[^>]*\s(src|href)="(?!data:)/);
});

const single = everything();
Object.assign(single, { processes_left_out: 1, cores: { count: 1, cores_in_line: 1, usage: [single.times.map(() => 0.9)] } });
onPage("a count of one is singular", [single], {}, async (page) => {
	await seeAll(page);
	assert.match(await page.textContent("#cores"), /1 of 1 core was busy for 5 %/);
	assert.match(await page.textContent("#process-lanes"), /1 more used less CPU time and is left out\./);
});

onSharedPage("programs and the use of no program add up", async (page) => {
	const saved = await download(page, () => page.getByLabel("Save the table Programs as CSV").click());
	const rows = saved.text.trim().split("\r\n").slice(1).map((line) => line.split(","));
	const sum = (column) => rows.reduce((all, row) => all + Number(row[column]), 0);
	assert.deepEqual(rows.at(-1).slice(0, 3), ["(short-lived)", "", "800"]);
	assert.ok(near(sum(2), run.programs.reduce((all, { cpu_seconds: seconds }) => all + seconds, 0) + 800));
	assert.ok(near(sum(3), 1));
	assert.equal(await page.locator("#programs-cpu .legend .name", { hasText: "(short-lived)" }).count(), 1);
	assert.equal(await page.locator("#programs-memory .legend .name", { hasText: "(short-lived)" }).count(), 0);
});

onSharedPage("the programs' shares of CPU and memory are bars", async (page) => {
	const rows = await page.$$eval(".shares-row", (all) => all.map((row) => [row.querySelector("h3").textContent, row.querySelector("li").textContent]));
	assert.deepEqual(rows.map(([label]) => label), ["CPU time", "Peak memory (PSS)"]);
	assert.match(rows[0][1], /^python3: 2h 30m 00s, 6\d/);
});

// The boxes of the flame graph: [name, left, width] in whole percents of its width.
const boxes = (page) => page.$$eval(".flame > div", (all) => {
	const { left: from, width } = document.querySelector(".flame").getBoundingClientRect();
	const percents = (px) => Math.round((100 * px) / width);
	return all.map((box) => box.getBoundingClientRect()).map((box, i) => [all[i].textContent, percents(box.left - from), percents(box.width)]);
});
const flameText = (page) => page.textContent("#program-flame .readout");

onSharedPage("programs by what started them are boxes as wide as their CPU time with all that they started", async (page) => {
	const shown = await boxes(page);
	assert.deepEqual(shown.slice(0, 5), [["bash", 0, 99], ["python3", 0, 68], ["python3", 0, 12], ["gzip", 68, 16], ["make", 84, 12]]);
	assert.match(await page.textContent("#program-flame figcaption"), /Most CPU time by itself: bash › python3, 2h 03m 20s \(55\.7 %\)/);
	await page.locator(".flame > div", { hasText: "cc1plus" }).hover();
	assert.equal(await flameText(page), "bash › make › sh › g++ › cc1plus: 311 processes, CPU 16m 00.0s (7.22 %), largest process 410 MiB");

	await page.locator(".flame > div", { hasText: "make" }).click();
	assert.deepEqual((await boxes(page)).slice(0, 4), [["bash", 0, 100], ["make", 0, 100], ["sh", 0, 66], ["g++", 0, 64]]);
	await page.locator(".flame > div", { hasText: "make" }).click();
	assert.equal((await boxes(page))[1][0], "python3", "a second click shows what is around it");
	await page.locator(".flame > div", { hasText: "bash" }).click();
	await page.getByLabel("Width", { exact: true }).selectOption("processes");
	assert.deepEqual((await boxes(page))[1], ["make", 0, 90], "with all that it started 1,346 of 1,490");
	assert.match(await page.textContent("#program-flame figcaption"), /number of processes/);
	await page.getByLabel("Width", { exact: true }).selectOption("memory");
	assert.match(await page.textContent("#program-flame figcaption"), /need not have been there at once/);
	await page.getByLabel("Width", { exact: true }).selectOption("cpu");
	await page.locator(".flame").focus();
	await page.keyboard.press("0");
	assert.deepEqual(await boxes(page), shown);
});

onSharedPage("the boxes of programs follow the keyboard, and are a table and CSV", async (page) => {
	const at = () => page.$eval(".flame", (tree) => document.getElementById(tree.getAttribute("aria-activedescendant")).textContent);
	await page.locator(".flame").focus();
	await page.keyboard.press("0");
	for (const [key, name] of [["ArrowDown", "python3"], ["ArrowRight", "gzip"], ["ArrowRight", "make"], ["ArrowDown", "sh"], ["ArrowDown", "g++"],
		["ArrowUp", "sh"], ["ArrowRight", "ld"], ["ArrowDown", "ld"], ["Enter", "ld"]]) {
		await page.keyboard.press(key);
		assert.equal(await at(), name, key);
	}
	assert.deepEqual((await boxes(page)).map(([name]) => name), ["bash", "make", "ld"]);
	assert.match(await page.textContent("[role=status]"), /^bash › make › ld: 9 processes/);
	await page.keyboard.press("Escape");
	assert.ok((await boxes(page)).length > 10);

	await page.getByLabel("Table of Which program started which").click();
	const rows = await page.$$eval("#program-flame tbody tr", (all) => all.map((row) => [...row.children].map((cell) => cell.textContent)));
	assert.equal(rows.length, 15);
	assert.deepEqual(rows[7], ["level 5: cc1plus", "311", "16m 00.0s", "16m 00.0s", "410 MiB"]);
	assert.deepEqual(rows[9].slice(0, 2), ["level 4: sed", "88"]);
	await page.getByLabel("Table of Which program started which").click();
	const saved = await download(page, () => page.getByLabel("Save Which program started which as CSV").click());
	const lines = saved.text.trim().split("\r\n");
	assert.equal(lines[0], "path,level,processes,cpu_seconds,cpu_seconds_with_below,peak_rss_bytes,branches");
	assert.ok(lines.includes("bash/make/sh/g++/as,4,311,60,60,31457280,1"));
});

onPage("a run whose record has no tree of programs has no boxes", [{ ...everything(), program_tree: undefined }], {}, async (page) => {
	assert.equal(await page.locator("#program-flame").count(), 0);
	assert.ok(await page.locator(".shares").count());
});

onSharedPage("a run with everything shows all its parts", async (page) => {
	assert.equal(await page.textContent("h1"), "train-resnet");
	assert.match(await page.textContent(".badge"), /Succeeded/);
	const figures = await page.$$eval("figure", (all) => all.map((figure) => figure.id));
	for (const id of ["cpu", "programs-cpu", "cores", "memory", "programs-memory", "processes_count", "process-lanes",
		"region-lanes", "disk_io", "disk_space", "network", "pressure", "time_spent", "gpu_use", "gpu_memory", "gpu_power",
		"gpu_temperature", "overhead"])
		assert.ok(figures.includes(id), `no ${id}`);
	const text = await page.textContent("main");
	for (const words of ["for the next run: CPU 4 cores", "2 warnings", "held back by its CPU quota", "How each number was measured",
		"Limits", "What recording cost", "cgroup leaf", "Memory by program: PSS", "Peak in a sample, PSS"])
		assert.ok(text.includes(words), words);
	assert.equal(await page.$$eval("figure", (all) => all.filter((one) => !one.querySelector("figcaption").textContent.trim()).length), 0,
		"each chart says in words what it shows");
});

onSharedPage("a zoom of one chart moves all others, and a double click shows the whole run", async (page) => {
	const duration = run.duration_seconds;
	const box = await plotBox(page, "#cpu");
	await page.mouse.move(box.x + box.width * 0.25, box.y + 50);
	await page.mouse.down();
	await page.mouse.move(box.x + box.width * 0.5, box.y + 60, { steps: 4 });
	await page.mouse.up();
	const zoomed = await windows(page);
	assert.ok(zoomed.length >= 18);
	for (const [from, to] of zoomed) {
		assert.ok(near(from, zoomed[0][0]) && near(to, zoomed[0][1]), `${from} ${to}`);
		assert.ok(Math.abs(from - duration * 0.25) < duration * 0.01 && Math.abs(to - duration * 0.5) < duration * 0.01);
	}
	assert.match(await page.textContent("#cpu .scope"), /part shown|at /);
	await page.locator("#memory .u-over").scrollIntoViewIfNeeded();
	await page.locator("#memory .u-over").dblclick();
	for (const [from, to] of await windows(page))
		assert.ok(from === 0 && near(to, duration));
});

onSharedPage("the buttons of the toolbar zoom and move", async (page) => {
	const duration = run.duration_seconds;
	await page.getByLabel("Show half as much time").click();
	const [[from, to]] = await windows(page);
	assert.ok(near(to - from, duration / 2));
	await page.getByLabel("Later", { exact: true }).click();
	const [[later]] = await windows(page);
	assert.ok(later > from);
	await page.getByRole("button", { name: "Whole run" }).click();
	assert.deepEqual((await windows(page))[0], [0, duration]);
	assert.ok(await page.getByRole("button", { name: "Whole run" }).isDisabled());
});

onSharedPage("the crosshair is at one moment in all charts, and the legends show its values", async (page) => {
	const box = await plotBox(page, "#cpu");
	await page.mouse.move(box.x + box.width * 0.3, box.y + 40);
	await page.mouse.move(box.x + box.width * 0.4, box.y + 40);
	await settled(page);
	const places = await page.$$eval(".plot", (plots) => plots.map((plot) => {
		const line = plot.querySelector(".u-cursor-x");
		return new DOMMatrix(getComputedStyle(line).transform).m41 / plot.querySelector(".u-over").clientWidth;
	}));
	for (const place of places)
		assert.ok(Math.abs(place - 0.4) < 0.01, `${places}`);
	await page.waitForFunction(() => /^at 24m/.test(document.querySelector("#memory .scope").textContent));
	const bucket = run.times.findIndex((t) => t >= run.duration_seconds * 0.4);
	const told = parseFloat(await page.textContent("#cpu .legend li:first-child .value"));
	assert.ok(Math.abs(told - run.series[0].mean[bucket]) < 0.3, `${told}`);
});

onSharedPage("a chart works by keyboard, and its values are spoken", async (page) => {
	await page.locator("#cpu .plot").focus();
	for (let i = 0; i < 3; i++)
		await page.keyboard.press("ArrowRight");
	await settled(page);
	assert.match(await page.textContent("[role=status]"), /^at 46\.5s: job 0\.9.*; CPUs that the job can use /);
	await page.keyboard.press("Shift+ArrowRight");
	await page.keyboard.press("+");
	const [[from, to]] = await windows(page);
	assert.ok(near(to - from, run.duration_seconds / 2));
	await page.keyboard.press("0");
	assert.deepEqual((await windows(page))[5], [0, run.duration_seconds]);
	await page.keyboard.press("Escape");
	await settled(page);
	assert.equal(await page.textContent("#cpu .scope"), "whole run");
});

// For each of the moments, the highest place of a blue pixel, as in the job's line: a share of the plot's height.
const tops = (page, id, shares) => page.$eval(`#${id} canvas`, (canvas, places) => {
	const plot = canvas.closest(".uplot").querySelector(".u-over");
	const ratio = devicePixelRatio;
	const pixels = canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data;
	const isBlue = (x, y) => {
		const [red, , blue, alpha] = pixels.slice((y * canvas.width + x) * 4, (y * canvas.width + x) * 4 + 4);
		return alpha > 30 && blue - red > 40;
	};
	const height = Math.round(plot.clientHeight * ratio);
	return places.map((place) => {
		const x = Math.round((plot.offsetLeft + plot.clientWidth * place) * ratio);
		for (let y = 0; y < height; y++)
			for (let beside = -2; beside <= 2; beside++)
				if (isBlue(x + beside, Math.round(plot.offsetTop * ratio) + y))
					return 1 - y / height;
		return 0;
	});
}, shares);

onSharedPage("a spike of one bucket is visible", async (page) => {
	const bucket = run.series[0].max.indexOf(7.6);
	const place = run.times[bucket] / run.duration_seconds;
	const [there, beside] = await tops(page, "cpu", [place, place + 0.02]);
	assert.ok(there > 0.8, "the spike of 7.6 cores");
	assert.ok(beside < 0.7, "nothing of it beside it");
});

onSharedPage("the legend turns lines off and on", async (page) => {
	const picture = () => page.$eval("#network canvas", (canvas) => canvas.toDataURL());
	const name = page.locator("#network .legend .name", { hasText: "job receives" });
	const before = await picture();
	await name.click();
	await settled(page);
	assert.equal(await name.getAttribute("aria-pressed"), "false");
	const without = await picture();
	assert.notEqual(without, before);
	await name.focus();
	await page.keyboard.press("Enter");
	await settled(page);
	assert.equal(await name.getAttribute("aria-pressed"), "true");
	assert.equal(await picture(), before);
	// A stack closes the gap.
	const stacked = () => page.$eval("#programs-cpu canvas", (canvas) => canvas.toDataURL());
	const full = await stacked();
	await page.locator("#programs-cpu .legend .name").first().click();
	await settled(page);
	assert.notEqual(await stacked(), full);
});

onSharedPage("lines of the machine and the page cache are off at first, and always 0 is only named", async (page) => {
	for (const [chart, name] of [["cpu", "machine"], ["memory", "machine"], ["memory", "page cache"], ["disk_io", "machine reads"]])
		assert.equal(await page.locator(`#${chart} .legend .name`, { hasText: name }).getAttribute("aria-pressed"), "false", `${chart} ${name}`);
	assert.equal(await page.locator("#cpu .legend .name", { hasText: "job" }).first().getAttribute("aria-pressed"), "true");
	assert.match(await page.textContent("#cpu figcaption"), /Not shown: machine\./);
	assert.equal(await page.locator("#memory .legend .name", { hasText: "swapped out" }).count(), 0);
	assert.equal(await page.textContent("#memory .always-zero"), "Always 0: swapped out.");
	// The axis fits the job: its 8 cores, not the machine's.
	await page.locator("#cpu .legend .name", { hasText: "machine" }).click();
	await settled(page);
	assert.doesNotMatch(await page.textContent("#cpu figcaption"), /Not shown/);
	await page.locator("#cpu .legend .name", { hasText: "machine" }).click();
});

const idle = everything();
idle.series = idle.series.map((one) => (one.chart !== "gpu_power" && !one.key.startsWith("process.net_") ? one
	: { ...one, mean: one.mean.map(() => 0), min: undefined, max: undefined }));
onPage("charts in which all is 0 are left out and named in one line", [idle], {}, async (page) => {
	assert.equal(await page.locator("#gpu_power").count(), 0);
	assert.match(await page.textContent(".absent"), /Always 0, so not drawn: Network of the job, GPU power\./);
	assert.equal(await page.locator("#section-machine #network").count(), 1, "what the machine did is kept with the machine");
	assert.equal(await page.locator(".tile dt", { hasText: "Network" }).count(), 0, "no tile of 0");
});

// Everything that can stand above the first chart.
const worst = everything();
Object.assign(worst, {
	outcome: "failed", ending: "SIGKILL after 1h 02m 03s: the kernel killed it, because its control group reached its memory limit; died in region train/epoch",
	series: [...worst.series, ...["cgroup.cpu_throttled_seconds", "pressure.cgroup_cpu_some_seconds", "pressure.cgroup_memory_some_seconds"].map((key) =>
		({ key, chart: key.startsWith("c") ? "cpu" : "pressure", label: key, unit: key.startsWith("c") ? "cores" : "share", kind: "rate", style: "line", mean: worst.times.map(() => 0.5) }))],
});

for (const [name, size] of [["a desk", { width: 1400, height: 900 }], ["a phone", { width: 390, height: 844 }]])
	onPage(`the first chart and at most six tiles stand at the top: ${name}`, [worst], size, async (page) => {
		const { top, bottom } = await page.locator("#cpu .plot").evaluate((plot) => plot.getBoundingClientRect());
		assert.equal(await page.locator("#ribbon .lane").count(), 9, "the whole run, regions, what held it back, marks");
		assert.ok(top < 600 && bottom < size.height, `${top} to ${bottom}`);
		const tiles = await page.locator(".tile dt").allTextContents();
		assert.deepEqual(tiles, ["Duration", "CPU efficiency", "Peak memory", "Disk", "Network (TCP)", "GPU"]);
		for (const folded of [".fold.facts .cards", ".advice dl", ".fold.warnings ul", "#section-methods .table"])
			assert.equal(await page.locator(folded).isVisible(), false, folded);
		const [plot, whole] = await page.$eval("#cpu", (figure) => [figure.querySelector(".u-over").clientWidth, figure.clientWidth]);
		assert.ok(plot > whole - 130, `${plot} of ${whole}`);
	});

onSharedPage("regions, waiting and marks are bands over all charts, and a press zooms to one", async (page) => {
	const bands = page.locator("#ribbon .band");
	assert.equal(await page.locator("#ribbon .lane.region .band", { hasText: "epoch" }).count(), 12);
	assert.match(await page.locator("#ribbon .lane.held .band").first().getAttribute("aria-label"), /^Zoom to waited for disks for a quarter/);
	assert.match(await page.locator("#ribbon .moment").getAttribute("aria-label"), /^Zoom to warm \(in train\), at 15m 00\.0s/);
	const epoch = run.regions.filter(({ path }) => path === "train/epoch")[3];
	await bands.filter({ hasText: "epoch" }).nth(3).click();
	for (const [from, to] of await windows(page))
		assert.ok(near(from, epoch.start) && near(to, epoch.end), `${from} ${to}`);
	await page.locator(".reset").click();
	await settled(page);
	// In a chart: the innermost region at the place of the click.
	const box = await plotBox(page, "#cpu");
	const step = run.regions.filter(({ path }) => path === "train/epoch/step")[5];
	await page.mouse.click(box.x + (box.width * (step.start + step.end)) / 2 / run.duration_seconds, box.y + 60);
	const [[from, to]] = await windows(page);
	assert.ok(near(from, step.start) && near(to, step.end), `${from} ${to}`);
});

onPage("a day is shown down to its seconds", [day()], {}, async (page) => {
	const width = async () => page.$eval("#cpu .u-over", (plot) => plot.clientWidth);
	const spike = () => page.evaluate(() => document.querySelector("#cpu .legend li .value").textContent);
	assert.match(await page.textContent("#cpu figcaption"), /at most 7\.6 cores/);
	await page.evaluate((at) => { location.hash = `from=${at - 10}&to=${at + 10}`; }, SPIKE_AT);
	await page.waitForFunction(() => /at most 40(\.\d)? cores at 13h 53m 21s/.test(document.querySelector("#cpu figcaption").textContent));
	const box = await plotBox(page, "#cpu");
	const at = async (seconds) => {
		await page.mouse.move(box.x + ((seconds - (SPIKE_AT - 10)) / 20) * await width(), box.y + 40);
		await settled(page);
		return spike();
	};
	assert.match(await at(SPIKE_AT - 0.5), /^40/);
	for (const beside of [SPIKE_AT - 1.5, SPIKE_AT + 0.5])
		assert.match(await at(beside), /^[0-4](\.\d+)?$/, "one second wide");
	await page.locator("#cpu .u-over").dblclick();
	await page.mouse.move(1, 1);
	await page.waitForFunction(() => /max 40/.test(document.querySelector("#cpu .legend li .value").textContent));
	assert.match(await page.textContent("#cpu .legend li:nth-child(1) .value"), /max 40/, "the whole day has it as well");
});

onSharedPage("values float at the crosshair", async (page) => {
	const box = await plotBox(page, "#cpu");
	await page.mouse.move(box.x + box.width * 0.3, box.y + 40);
	await page.mouse.move(box.x + box.width * 0.4, box.y + 40);
	await settled(page);
	const tip = page.locator("#cpu .tip");
	assert.match(await tip.textContent(), /^24m 4\d\.\ds.*job\d/);
	assert.doesNotMatch(await tip.textContent(), /machine/);
	assert.equal(await page.locator("#memory .tip").isVisible(), false);
	await page.mouse.move(box.x + box.width - 4, box.y + 40);
	await settled(page);
	const [inner, outer] = [await tip.boundingBox(), await page.locator("#cpu").boundingBox()];
	assert.ok(inner.x >= outer.x && inner.x + inner.width <= outer.x + outer.width, "it stays in the chart");
});

onSharedPage("the wheel zooms with Ctrl around the pointer, and moves with Shift", async (page) => {
	const box = await plotBox(page, "#cpu");
	const at = [box.x + box.width / 4, box.y + 60];
	await page.mouse.move(...at);
	await page.keyboard.down("Control");
	await page.mouse.wheel(0, -100);
	await page.keyboard.up("Control");
	const [[from, to]] = await windows(page);
	assert.ok(to - from < 0.8 * run.duration_seconds);
	assert.ok(Math.abs(from + (to - from) / 4 - run.duration_seconds / 4) < 20, "the moment at the pointer stays");
	await page.keyboard.down("Shift");
	await page.mouse.wheel(0, 100);
	await page.keyboard.up("Shift");
	const [[later, end]] = await windows(page);
	assert.ok(later > from && near(end - later, to - from));
});

onSharedPage("two fingers zoom", async (page) => {
	const box = await plotBox(page, "#cpu");
	await page.$eval("#cpu .u-over", (over, { x, y, width }) => {
		const touch = (type, pointerId, share) => over.dispatchEvent(new PointerEvent(type, {
			pointerId, pointerType: "touch", clientX: x + width * share, clientY: y + 50, bubbles: true }));
		touch("pointerdown", 11, 0.4);
		touch("pointerdown", 12, 0.6);
		touch("pointermove", 11, 0.2);
		touch("pointermove", 12, 0.8);
		touch("pointerup", 11, 0.2);
		touch("pointerup", 12, 0.8);
	}, box);
	const [[from, to]] = await windows(page);
	const whole = run.duration_seconds;
	assert.ok(Math.abs(from - whole / 3) < whole * 0.01 && Math.abs(to - (whole * 2) / 3) < whole * 0.01, `${from} ${to}`);
});

onSharedPage("the overview chooses a part and moves it", async (page) => {
	const box = await page.locator(".overview").boundingBox();
	const drag = async (a, b) => {
		await page.mouse.move(box.x + box.width * a, box.y + 15);
		await page.mouse.down();
		await page.mouse.move(box.x + box.width * b, box.y + 15, { steps: 4 });
		await page.mouse.up();
	};
	await drag(0.2, 0.4);
	const [[from, to]] = await windows(page);
	assert.ok(Math.abs(from / run.duration_seconds - 0.2) < 0.01 && Math.abs(to / run.duration_seconds - 0.4) < 0.01);
	await drag(0.3, 0.5);
	const [[later, end]] = await windows(page);
	assert.ok(Math.abs((later - from) / run.duration_seconds - 0.2) < 0.01 && near(end - later, to - from));
});

onPage("the address holds the visible part and the form of times", [run], {}, async (page) => {
	const hash = () => new URL(page.url()).hash;
	assert.equal(hash(), "");
	await page.getByLabel("Show half as much time").click();
	await page.getByRole("button", { name: "Time of day" }).click();
	await page.waitForFunction(() => location.hash.includes("clock=day"));
	assert.match(hash(), /^#from=930\.8&to=2792\.3&clock=day$/);
	await page.reload();
	await settled(page);
	const [[from, to]] = await windows(page);
	assert.ok(Math.abs(from - 930.75) < 0.1 && Math.abs(to - 2792.25) < 0.1);
	assert.match(await page.textContent(".window"), /^\d\d:\d\d:\d\d – \d\d:\d\d:\d\d$/);
	await page.getByRole("button", { name: "Whole run" }).click();
	await page.getByRole("button", { name: "Time of day" }).click();
	await page.waitForFunction(() => location.hash === "");
	await page.getByRole("link", { name: "Methods" }).click();
	assert.equal(await page.locator("#section-methods .table").isVisible(), true, "a link opens a folded section");
});

onSharedPage("pictures of charts are saved as SVG and as PNG, and copied", async (page) => {
	const { name, text } = await download(page, () => page.getByLabel("Save the picture of CPU as SVG", { exact: true }).click());
	assert.equal(name, "train-resnet-cpu.svg");
	assert.match(text, /^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg"/);
	const other = await page.context().browser().newPage();   // without the page's policy
	const lines = await other.evaluate((svg) => {
		const root = new DOMParser().parseFromString(svg, "image/svg+xml").documentElement;
		return [root.tagName, root.querySelectorAll("path").length, root.textContent.includes("CPUs that the job can use")];
	}, text);
	await other.close();
	assert.deepEqual([lines[0], lines[2]], ["svg", true]);
	assert.ok(lines[1] >= 3);
	for (const title of ["CPU by program", "Each core of the machine", "Processes over time"]) {
		if (title.startsWith("Each"))
			await page.getByRole("link", { name: "Machine and recorder" }).click();
		const png = await download(page, () => page.getByLabel(`Save the picture of ${title} as PNG`).click());
		assert.match(png.name, /\.png$/);
		assert.ok(png.text.startsWith("\ufffdPNG") && png.text.length > 2000, title);
	}
	await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	await copied(page.getByLabel("Copy the picture of CPU", { exact: true }));
	assert.deepEqual(await page.evaluate(async () => (await navigator.clipboard.read())[0].types), ["image/png"]);
});

onSharedPage("tables sort by mouse and by keyboard, with unknown values last", async (page) => {
	const table = page.locator(".table", { has: page.locator("h3", { hasText: /^Regions$/ }) });
	const column = (i) => table.locator("tbody tr").evaluateAll((rows, k) => rows.map((row) => row.children[k].textContent), i);
	const peak = table.locator("thead th", { hasText: "Peak" });
	await peak.locator("button").click();
	assert.equal(await peak.getAttribute("aria-sort"), "descending");
	assert.match((await column(4))[0], /^3\.1 GiB/);
	assert.equal((await column(0)).at(-1), "prefetch");
	await peak.locator("button").focus();
	await page.keyboard.press("Enter");
	assert.equal(await peak.getAttribute("aria-sort"), "ascending");
	assert.match((await column(4))[0], /^1\.2 GiB/);
	assert.equal((await column(0)).at(-1), "prefetch");
	await table.locator("thead th").first().locator("button").click();
	assert.deepEqual(await column(0), ["prefetch", "train", "train/epoch", "train/epoch/load", "train/epoch/step"]);
	assert.equal(await peak.getAttribute("aria-sort"), null);
});

onSharedPage("a chart's values are available as a table and as CSV", async (page) => {
	const { name, text } = await download(page, () => page.getByLabel("Save CPU as CSV", { exact: true }).click());
	assert.equal(name, "train-resnet-cpu.csv");
	const lines = text.trimEnd().split("\r\n");
	assert.equal(lines.length, run.times.length + 1);
	assert.match(lines[0], /^time_seconds,process\.cpu_cores,process\.cpu_cores_min,process\.cpu_cores_max,/);
	const third = lines[3].split(",").map(Number);
	assert.deepEqual(third.slice(0, 4), [run.times[2], run.series[0].mean[2], run.series[0].min[2], run.series[0].max[2]]);

	await page.getByLabel("Table of CPU", { exact: true }).click();
	assert.equal(await page.locator("#cpu .chart-data tbody tr").count(), 20);
	await page.locator("#cpu .chart-data .more").click();
	assert.equal(await page.locator("#cpu .chart-data tbody tr").count(), run.times.length);

	const processes = await download(page, () => page.getByLabel("Save the table Processes by CPU time as CSV").click());
	assert.equal(processes.text.split("\r\n")[1], "python3,4000,0,,4000,2147500000,exit 0");
	const cores = await download(page, () => page.getByLabel("Save Each core of the machine as CSV").click());
	assert.match(cores.text, /^time_seconds,core_0,/);
});

onSharedPage("a command can be copied", async (page) => {
	await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
	await copied(page.getByLabel("Copy the command"));
	assert.equal(await page.evaluate(() => navigator.clipboard.readText()), run.command);
});

onPage("names cannot become markup", [hostile()], {}, async (page) => {
	assert.equal(await page.evaluate(() => window.broken), undefined);
	assert.equal(await page.locator("img").count(), 0);
	assert.equal(await page.locator("script").count(), 2, "the data and the page's own");
	assert.equal(await page.textContent("h1"), HOSTILE);
	assert.equal(await page.textContent(".command code"), `sh -c ${HOSTILE}`);
	for (const place of [".ending", ".fold.warnings li", ".advice dt", ".card h3", "#cpu .legend .label", "#programs-cpu .legend .label"])
		assert.equal(await page.locator(place).first().textContent(), HOSTILE, place);
	const programs = await download(page, () => page.getByLabel("Save the table Programs as CSV").click());
	assert.match(programs.name, /^[A-Za-z0-9._-]+\.csv$/);
	assert.match(programs.text, /\r\n'=1\+2,/, "no formula for a spreadsheet");
	assert.ok(programs.text.includes(`"${HOSTILE.replaceAll('"', '""')}"`));
});

test("the page runs no other code and fetches nothing", async () => {
	const page = await open([everything()]);
	const tries = await page.evaluate(async () => {
		const script = document.createElement("script");
		const results = {};
		try {
			script.textContent = "window.broken = 1";
			document.body.append(script);
		} catch (error) {
			results.script = error.name;
		}
		try {
			document.body.insertAdjacentHTML("beforeend", "<img src=x>");
		} catch (error) {
			results.markup = error.name;
		}
		await fetch("http://127.0.0.1:9/").catch((error) => { results.fetch = error.name; });
		const image = await new Promise((done) => {
			const one = new Image();
			one.onload = () => done("loaded");
			one.onerror = () => done("refused");
			one.src = "http://127.0.0.1:9/x.png";
		});
		return { ...results, image, broken: window.broken };
	});
	assert.deepEqual(tries, { script: "TypeError", markup: "TypeError", fetch: "TypeError", image: "refused", broken: undefined });
	assert.ok(page.troubles.every((trouble) => trouble.includes("127.0.0.1:9") || trouble.includes("Trusted")), `${page.troubles}`);
	await page.close();
});

onPage("a run with almost no values shows that", [almostNothing()], {}, async (page) => {
	assert.match(await page.textContent(".badge"), /Failed/);
	assert.match(await page.textContent(".absent"), /too short for a sample/);
	assert.equal(await page.locator("figure").count(), 0);
	assert.equal(await page.locator(".time").count(), 0);
});

onPage("unknown values are not drawn, and are shown as unknown", [holes()], {}, async (page) => {
	assert.match(await page.textContent(".badge"), /Outcome unknown/);
	assert.match(await page.textContent("#cpu figcaption"), /^Process\.cpu_cores: 1\.5 cores on average, at most 3 cores at 2s\./);
	assert.match(await page.textContent("#process-lanes figcaption"), /^1 process from start to end.*Only in the table, because their start is not known: 1\./);
	assert.match(await page.textContent(".advice"), /throttled.*The quota held it back\./);
	assert.equal(await page.textContent("#cpu-2 h3"), "CPU: something.new", "another unit, another axis");
	assert.match(await page.textContent(".absent"), /^Not in this record: disk I\/O, network traffic, pressure/);
	const row = page.locator(".table", { has: page.locator("h3", { hasText: "Processes by CPU time" }) }).locator("tbody tr", { hasText: "found" });
	assert.match(await row.textContent(), /found2–unknown3s1s–unknown/);
});

test("a page with no data or unreadable data shows one sentence", async () => {
	const cases = [
		[template, /holds no data/], [pageOf(template, []), /no run/],
		[template.replace("<!--REPORT-DATA-->", '<script type="application/json" id="report-data">{"format":1,</script>'), /cannot be read/],
		[template.replace("<!--REPORT-DATA-->", '<script type="application/json" id="report-data">{"format":9}</script>'), /format 9/],
	];
	for (const [html, sentence] of cases) {
		const page = await openText(html);
		assert.match(await page.textContent("main"), sentence);
		assert.deepEqual(page.troubles, []);
		await page.close();
	}
});

onPage("a few runs share one chart, each in its colour", ranks(3), {}, async (page) => {
	assert.equal(await page.textContent("h1"), "3 runs of solver");
	assert.deepEqual(await page.locator("#runs-cpu .legend .label").allTextContents(), ["solver #1", "solver #2", "solver #3"]);
	const colours = await page.$$eval("#runs-cpu .swatch", (all) => all.map((one) => getComputedStyle(one).backgroundColor));
	assert.equal(new Set(colours).size, 3);
	const headings = await page.locator("#section-runs th").allTextContents();
	assert.ok(headings.some((one) => one.includes("Peak memory (PSS)")), headings.join());
	await page.selectOption("#quantity-memory", "process.rss_bytes");
	assert.equal(await page.textContent("#runs-memory h3"), "Memory: RSS");
	const { text } = await download(page, () => page.getByLabel("Save Memory: RSS as CSV").click());
	assert.match(text, /^run,time_seconds,process\.rss_bytes,/);
	assert.match(text, /\r\nsolver #3,/);
});

onPage("runs are compared with a baseline, and laid over each other at a region", compared(), {}, async (page) => {
	const row = (name) => page.locator(".differences tbody tr", { hasText: name }).first().evaluate((one) => [...one.cells].map((cell) => cell.firstChild.textContent));
	assert.deepEqual((await row("CPU time")).slice(2), ["1h 06m 18s", "+70 %", "28m 12.6s", "−27.7 %"]);
	assert.deepEqual((await row("Peak memory (PSS)")).slice(1), ["3 GiB", "4.5 GiB", "+50 %", "2.1 GiB", "−30 %"]);
	assert.deepEqual((await row("Read from disks")).slice(2), ["131 GiB", "same", "131 GiB", "same"]);
	const tones = await page.$$eval(".differences tbody tr:nth-child(2) .change", (all) => all.map((cell) => [cell.className, getComputedStyle(cell).color]));
	assert.match(tones[0][0], /worse/);
	assert.match(tones[1][0], /better/);
	assert.notEqual(tones[0][1], tones[1][1]);
	await page.selectOption("#baseline", "2");
	assert.deepEqual((await row("Peak memory (PSS)")).slice(1), ["3 GiB", "+42.9 %", "4.5 GiB", "+114 %", "2.1 GiB"]);
	assert.equal(await page.locator("#section-balance").count(), 0, "they did not run at once");
	await page.evaluate(() => window.scrollTo(0, 0));
	const { y } = await page.locator("#runs-cpu .plot").boundingBox();
	assert.ok(y < 600, `the first chart is at ${y}`);

	await page.locator("#runs-cpu").scrollIntoViewIfNeeded();
	const rows = async () => (await download(page, () => page.getByLabel("Save CPU: job as CSV").click())).text.trim().split("\r\n").slice(1)
		.map((line) => line.split(","));
	const begins = (all) => ["base", "slower", "faster"].map((name) => Number(all.find((one) => one[0] === name)[1]));
	assert.deepEqual(begins(await rows()), [3, 3.4, 3.1]);
	await page.selectOption("#align", "0");
	assert.deepEqual(begins(await rows()), [120, 3.4, 90], "each begins so much later that they begin to train together");
	await page.waitForFunction(() => document.querySelector("#runs-cpu .plot").dataset.window === "0 1020");
	await page.selectOption("#align", "");
	assert.deepEqual(begins(await rows()), [3, 3.4, 3.1]);
});

onPage("which program started which is compared with a baseline, and adds up", compared(), {}, async (page) => {
	const rows = () => page.$$eval(".branches tbody tr", (all) => all.map((row) => [...row.cells].map((cell) => cell.lastChild === cell.firstChild || !cell.firstChild.data ? cell.lastChild.textContent : cell.firstChild.data)));
	const first = await rows();
	assert.deepEqual(first.map(([name]) => name), ["make", "g++", "cc1plus", "others", "gzip", "zstd", "(short-lived)", "The job"]);
	assert.deepEqual(first[2].slice(1), ["5m 00.0s", "7m 30.0s", "+50 %", "3m 30.0s", "−30 %"]);
	assert.deepEqual(first[4].slice(1), ["1m 00.0s", "1m 01.0s", "same", "0s", "−100 %"]);
	assert.equal(first[5].at(-1), "new");
	await page.selectOption("#baseline", "1");
	assert.deepEqual((await rows())[2].slice(1), ["5m 00.0s", "−33.3 %", "7m 30.0s", "3m 30.0s", "−53.3 %"]);
	const { text } = await download(page, () => page.getByLabel("Save Which program started which, beside the baseline as CSV").click());
	const cells = text.trim().split("\r\n").slice(1).map((line) => line.split(","));
	for (const column of [2, 4, 5])
		assert.ok(Math.abs(Number(cells[0][column]) + Number(cells.at(-2)[column]) - Number(cells.at(-1)[column])) < 1e-3, `${cells}`);
});

onPage("the ranks of a job are shown side by side, with their imbalance", ranks(8), {}, async (page) => {
	assert.equal(await page.locator("#runs-cpu .multiple").count(), 8);
	const box = await plotBox(page, "#runs-cpu");
	await page.mouse.move(box.x + 20, box.y + 20);
	await page.mouse.down();
	await page.mouse.move(box.x + 80, box.y + 20, { steps: 3 });
	await page.mouse.up();
	const all = await windows(page);
	assert.ok(all.every(([from, to]) => near(from, all[0][0]) && near(to, all[0][1])) && all[0][0] > 0);
	const row = page.locator(".table", { hasText: "Max / mean" }).locator("tbody tr", { hasText: "CPU: job" }).first();
	assert.match(await row.textContent(), /solver #4/);
	assert.ok(Number(await row.locator("td").nth(1).textContent()) > 1.4);
	await page.selectOption("#layout", "overlaid");
	assert.equal(await page.locator("#runs-cpu .legend .label").count(), 8);
	assert.equal(await page.inputValue("#run"), "5", "the one that failed is looked into first");
	await page.selectOption("#run", "3");
	assert.match(await page.textContent("#section-details .run-head"), /solver #4.*Succeeded/);
	await page.selectOption("#run", "5");
	assert.match(await page.textContent("#section-details .run-head"), /solver #6.*Failed.*memory ran out/);
});

test("plots are drawn when they come near the window, and all of them for printing", async () => {
	const page = await open([run]);
	const drawn = () => page.$$eval(".plot", (all) => all.filter((plot) => plot.dataset.window).length);
	const total = await page.locator(".plot").count();
	assert.ok(await drawn() < total);
	await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
	await settled(page);
	assert.equal(await drawn(), total);
	await page.close();
});

onPage("light and dark follow the system until the user chooses", [everything()], { theme: "dark" }, async (page) => {
	const theme = () => page.getAttribute("html", "data-theme");
	assert.equal(await theme(), "dark");
	await page.emulateMedia({ colorScheme: "light" });
	await page.waitForFunction(() => document.documentElement.dataset.theme === "light");
	await page.getByRole("button", { name: "Dark theme" }).click();
	assert.equal(await theme(), "dark");
	await page.emulateMedia({ colorScheme: "dark" });
	await settled(page);
	await page.emulateMedia({ colorScheme: "light" });
	await settled(page);
	assert.equal(await theme(), "dark");
});

onPage("a printed page is light, without buttons, and no wider than the sheet", [everything()], { theme: "dark" }, async (page) => {
	await page.setViewportSize({ width: 700, height: 900 });
	await page.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
	await page.emulateMedia({ media: "print" });
	await settled(page);
	assert.equal(await page.getAttribute("html", "data-theme"), "light");
	assert.equal(await page.locator(".toolbar").isVisible(), false);
	assert.ok(await page.$$eval("canvas", (all) => all.every((canvas) => canvas.getBoundingClientRect().right <= 700)));
	const pdf = (await page.pdf({ format: "A4", printBackground: true, preferCSSPageSize: true })).toString("latin1");
	assert.ok(pdf.match(/\/Type\s*\/Page[^s]/g).length <= 4, "at most four sheets");
	await page.emulateMedia({ media: "screen" });
	await page.evaluate(() => window.dispatchEvent(new Event("afterprint")));
	await settled(page);
	assert.equal(await page.getAttribute("html", "data-theme"), "dark");
});
