// pictures.mjs REPORT.html FOLDER - the pictures of a report for the documentation: FOLDER/report.png is its top,
// FOLDER/report-cpu.png its charts of CPU time.  Needs the build's playwright-core: MODULES=build/dev/tests/web/node_modules.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [report, folder] = process.argv.slice(2);
const { MODULES, CHROMIUM = "/usr/bin/chromium" } = process.env;
const { chromium } = createRequire(join(resolve(MODULES), "x"))("playwright-core");
const MARGIN = 8;

// From the top of one element to the bottom of another, over the whole width.
async function take(page, name, first, last) {
	const [top, end] = await Promise.all([first, last].map((selector) => page.locator(selector).boundingBox()));
	const y = Math.max(0, top.y - MARGIN);
	await page.screenshot({ path: join(folder, name), clip: { x: 0, y, width: page.viewportSize().width, height: end.y + end.height + MARGIN - y } });
}

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });
// So high that every chart is near the window, and is drawn.
const page = await browser.newPage({ viewport: { width: 1100, height: 8000 } });
await page.goto(pathToFileURL(report).href);
await page.waitForFunction(() => [...document.querySelectorAll(".plot")].every((plot) => plot.dataset.window));
await take(page, "report.png", ".run-head", "#cpu");
await take(page, "report-cpu.png", "#cpu", "#programs-cpu");
await browser.close();
