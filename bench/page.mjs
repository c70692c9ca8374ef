// page.mjs - the cost of the page of a long report: opening it, with 1,000 points of 60 lines and of 64 cores; and of a
// day at 1 s opening it, and a frame while it is moved, beside a bare uPlot of the same points.
//
// Prints JSON, medians in ms of CPU time of the page's main thread: until all visible parts are drawn, and for each frame;
// and the time until it can be used.  The environment is that of tests/web/browser.js; UPLOT: the folder of uPlot.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { open, openText, startBrowser, stopBrowser, template } from "../tests/web/browser.js";
import { day, large, pageOf } from "../tests/web/runs.js";

const ROUNDS = 5;
const FRAMES = 60;
const SPAN = 900;               // s: what is seen of the day
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function meter(page) {
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
	return async () => 1000 * (await devtools.send("Performance.getMetrics")).metrics.find(({ name }) => name === "TaskDuration").value;
}

async function openingOf(runs) {
	const page = await open(runs);
	const used = await meter(page);
	await page.reload({ waitUntil: "networkidle" });
	const cpu = await used();
	const usable = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domInteractive);
	await page.close();
	return { cpu, usable };
}

// The CPU time of each frame in which the page's function `move` was called before it, without that of a frame of nothing.
async function frameOf(page) {
	const used = await meter(page);
	const once = async (moves) => {
		const before = await used();
		await page.evaluate((isMoved) => new Promise((done) => {
			if (isMoved)
				window.move();
			requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0)));
		}), moves);
		return await used() - before;
	};
	const several = async (moves) => {
		const all = [];
		for (let i = 0; i < FRAMES; i++)
			all.push(await once(moves));
		return median(all);
	};
	const nothing = await several(false);
	return await several(true) - nothing;
}

// Our page of a day, of which a part is seen; its first charts are in view.
async function ours(runs) {
	const page = await open(runs);
	await page.evaluate((span) => { location.hash = `from=40000&to=${40000 + span}`; }, SPAN);
	await page.waitForFunction((span) => {
		const [from, to] = document.querySelector("#cpu .plot").dataset.window.split(" ");
		return Math.abs(to - from - span) < 1;
	}, SPAN);
	const lines = await page.evaluate(() => {
		const plot = document.querySelector("#cpu .u-over");
		window.move = () => plot.dispatchEvent(new WheelEvent("wheel", { shiftKey: true, deltaY: 8, bubbles: true, cancelable: true }));
		const seen = [...document.querySelectorAll(".plot")].filter((one) => {
			const { top, bottom } = one.getBoundingClientRect();
			return bottom > 0 && top < innerHeight;
		});
		return { plots: seen.length, width: plot.clientWidth };
	});
	const frame = await frameOf(page);
	await page.close();
	return { frame, ...lines };
}

// As many charts of a bare uPlot, of five lines with as many points.
async function bare({ plots, width }) {
	const script = readFileSync(join(process.env.UPLOT, "dist/uPlot.iife.min.js"), "utf8");
	const page = await openText(`<!DOCTYPE html><title>bare</title><body><script>${script}
		const xs = Array.from({ length: ${4 * SPAN} }, (_, i) => i);
		const lines = Array.from({ length: 5 }, (_, k) => xs.map((x) => k + Math.sin(x * (k + 1) / 7)));
		let from = 0;
		const all = Array.from({ length: ${plots} }, () => new uPlot({
			width: ${width}, height: 190, series: [{}, ...lines.map(() => ({ stroke: "red", points: { show: false } }))],
			legend: { show: false }, scales: { x: { time: false } },
		}, [xs, ...lines], document.body));
		window.move = () => {
			from += 2;
			requestAnimationFrame(() => all.forEach((one) => one.setScale("x", { min: from, max: from + ${SPAN} })));
		};
		window.move();
	</script>`);
	const frame = await frameOf(page);
	await page.close();
	return frame;
}

async function opened(runs) {
	const all = [];
	for (let i = 0; i < ROUNDS; i++)
		all.push(await openingOf(runs));
	return { cpu: median(all.map(({ cpu }) => cpu)), usable: median(all.map(({ usable }) => usable)) };
}

const mib = (runs) => Buffer.byteLength(pageOf(template, runs)) / 2 ** 20;
const [points, rows] = [[large()], [day()]];
await startBrowser();
const [big, long] = [await opened(points), await opened(rows)];
const moved = await ours(rows);
const floor = await bare(moved);
await stopBrowser();
console.log(JSON.stringify({
	cpu_ms: big.cpu, usable_ms: big.usable, page_kib: Math.round(Buffer.byteLength(template) / 1024), mib: mib(points),
	day_cpu_ms: long.cpu, day_mib: mib(rows), frame_ms: moved.frame, bare_frame_ms: floor, frame_plots: moved.plots,
}));
