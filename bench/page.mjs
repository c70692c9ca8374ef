// page.mjs - the cost of opening the page of a long report: 1,000 points of 60 lines and of 64 cores.
//
// Prints JSON, medians in ms: CPU time of the page's main thread until all visible parts are drawn, and the time
// until it can be used.  The environment is that of tests/web/browser.js.
import { open, startBrowser, stopBrowser, template } from "../tests/web/browser.js";
import { large, pageOf } from "../tests/web/runs.js";

const ROUNDS = 5;
const median = (values) => values.sort((a, b) => a - b)[values.length >> 1];

async function once(runs) {
	const page = await open(runs);
	const devtools = await page.context().newCDPSession(page);
	await devtools.send("Performance.enable", { timeDomain: "threadTicks" });
	await page.reload({ waitUntil: "networkidle" });
	const { metrics } = await devtools.send("Performance.getMetrics");
	const usable = await page.evaluate(() => performance.getEntriesByType("navigation")[0].domInteractive);
	await page.close();
	return { cpu: 1000 * metrics.find(({ name }) => name === "TaskDuration").value, usable };
}

const runs = [large()];
await startBrowser();
const all = [];
for (let i = 0; i < ROUNDS; i++)
	all.push(await once(runs));
await stopBrowser();
console.log(JSON.stringify({
	cpu_ms: median(all.map(({ cpu }) => cpu)), usable_ms: median(all.map(({ usable }) => usable)),
	page_kib: Math.round(Buffer.byteLength(template) / 1024),
	mib: Buffer.byteLength(pageOf(template, runs)) / 2 ** 20,
}));
