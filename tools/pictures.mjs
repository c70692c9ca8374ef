// pictures.mjs REPORT.html REGIONS.html FOLDER - the pictures of reports for the documentation: report.png is the top of the
// first, report-cpu.png its charts of CPU time; report-dark.png and report-phone.png are of the second.  Needs the build's
// playwright-core: MODULES=build/dev/tests/web/node_modules.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [report, regions, folder] = process.argv.slice(2);
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
async function open(file, options) {
	const opened = await browser.newPage(options);
	await opened.goto(pathToFileURL(file).href);
	await opened.waitForFunction(() => document.querySelector("#programs-cpu .plot").dataset.window);
	return opened;
}

// So high that every chart is near the window, and is drawn.
const page = await open(report, { viewport: { width: 1100, height: 8000 } });
await take(page, "report.png", ".run-head", "#cpu");
await take(page, "report-cpu.png", "#cpu", "#programs-cpu");

// What a reader sees first, with the values at the crosshair.
const dark = await open(regions, { viewport: { width: 1100, height: 860 }, colorScheme: "dark" });
const plot = await dark.locator("#cpu .u-over").boundingBox();
for (const part of [0.5, 0.55])
	await dark.mouse.move(plot.x + plot.width * part, plot.y + 50);
await dark.waitForSelector("#cpu .tip:not([hidden])");
await dark.screenshot({ path: join(folder, "report-dark.png") });
const phone = await open(regions, { viewport: { width: 390, height: 844 } });
await phone.screenshot({ path: join(folder, "report-phone.png") });
await browser.close();
