// pictures.mjs FOLDER - the pictures of reports for the documentation, of the pages in the folder that pictures.sh has made.  Needs
// the build's playwright-core: MODULES=build/dev/tests/web/node_modules.
import { createRequire } from "node:module";
import { join, resolve } from "node:path";
import { pathToFileURL } from "node:url";

const [folder] = process.argv.slice(2);
const { MODULES, CHROMIUM = "/usr/bin/chromium" } = process.env;
const { chromium } = createRequire(join(resolve(MODULES), "x"))("playwright-core");
const MARGIN = 8;
const DESK = { width: 1100, height: 860 };

const browser = await chromium.launch({ executablePath: CHROMIUM, args: ["--no-sandbox", "--disable-gpu"] });

// The page of a run, when its first chart is drawn.
async function open(name, { part = "", ...options } = {}) {
	const page = await browser.newPage({ viewport: DESK, ...options });
	await page.goto(pathToFileURL(join(folder, `${name}.html`)).href + part);
	await page.waitForFunction(() => document.querySelector(".plot, .absent")?.matches(".absent, [data-window]"));
	await settled(page);
	return page;
}

const settled = (page) => page.evaluate(() => new Promise((done) => { setTimeout(() => requestAnimationFrame(done), 500); }));
const take = (page, name) => page.screenshot({ path: join(folder, name) });

// From the top of one element to the bottom of another, over the whole width.
async function takePart(page, name, first, last) {
	const [top, end] = await Promise.all([first, last].map((selector) => page.locator(selector).boundingBox()));
	const y = Math.max(0, top.y - MARGIN);
	await page.screenshot({ path: join(folder, name), clip: { x: 0, y, width: page.viewportSize().width, height: end.y + end.height + MARGIN - y } });
}

// So high that every chart is near the window, and is drawn.
const page = await open("report", { viewport: { width: 1100, height: 8000 } });
await page.waitForFunction(() => document.querySelector("#programs-cpu .plot").dataset.window);
await takePart(page, "report.png", ".run-head", "#cpu");
await takePart(page, "report-cpu.png", "#cpu", "#programs-cpu");

// What a reader sees first, with the values at the crosshair.
const dark = await open("regions", { colorScheme: "dark" });
const plot = await dark.locator("#cpu .u-over").boundingBox();
for (const share of [0.5, 0.55])
	await dark.mouse.move(plot.x + plot.width * share, plot.y + 50);
await dark.waitForSelector("#cpu .tip:not([hidden])");
await take(dark, "report-dark.png");
await take(await open("regions", { viewport: { width: 390, height: 844 } }), "report-phone.png");

await take(await open("day"), "report-day.png");
await take(await open("day", { part: "#from=49990&to=50010" }), "report-second.png");
await take(await open("short", { viewport: { width: 1100, height: 520 } }), "report-short.png");
await take(await open("three", { viewport: { width: 1100, height: 760 } }), "report-three.png");

const compared = await open("three", { viewport: { width: 1100, height: 8000 }, colorScheme: "dark" });
await takePart(compared, "report-differences.png", "#section-differences", "#section-differences");

const programs = await open("programs", { viewport: { width: 1100, height: 9000 } });
await programs.waitForFunction(() => document.querySelector("#process-lanes .plot").dataset.window);
await takePart(programs, "report-programs.png", "#section-processes", "#process-lanes");

const ranks = await open("ranks", { viewport: { width: 1280, height: 1250 } });
await ranks.selectOption("#map-quantity", "waiting");
await settled(ranks);
const map = await ranks.locator("#map .u-over").boundingBox();
for (const share of [0.75, 0.8])
	await ranks.mouse.move(map.x + map.width * share, map.y + map.height * 0.5003);
await settled(ranks);
await take(ranks, "report-ranks.png");

const flame = await open("regions", { viewport: { width: 1100, height: 8000 } });
await flame.locator(".flame > div", { hasText: "sort" }).first().hover();
await takePart(flame, "report-flame.png", "#program-flame", "#program-flame");

// As it is printed: the first sheet.
const paper = await open("report", { viewport: { width: 700, height: 990 } });
await paper.evaluate(() => window.dispatchEvent(new Event("beforeprint")));
await paper.emulateMedia({ media: "print" });
await settled(paper);
await take(paper, "report-print.png");
await browser.close();
