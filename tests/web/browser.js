// browser.js - a headless Chromium for the tests, and pages of made-up runs in it.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { pageOf } from "./runs.js";

// REPORT_PAGE: the page without data; MODULES: the folder of playwright-core and axe-core; CHROMIUM: the browser.
const { REPORT_PAGE, MODULES, CHROMIUM } = process.env;
const require = createRequire(join(MODULES, "x"));

export const template = readFileSync(REPORT_PAGE, "utf8");
export const axeSource = readFileSync(require.resolve("axe-core/axe.min.js"), "utf8");

// This limit only catches a test that hangs: a busy machine takes minutes for a second's work of a calm one.
const ENOUGH_MS = 900_000;

let browser = null;
let folder = null;

export async function startBrowser() {
	folder = mkdtempSync(join(tmpdir(), "report-page-"));
	browser = await require("playwright-core").chromium.launch({
		executablePath: CHROMIUM,
		timeout: ENOUGH_MS,
		args: ["--no-sandbox", "--disable-gpu", "--no-first-run", "--disable-background-networking",
			"--disable-component-update", "--disable-sync"],
	});
}

export async function stopBrowser() {
	await browser?.close();
	rmSync(folder, { recursive: true, force: true });
}

// openText(html, { width, height, theme }) -> the built page.  page.troubles lists forbidden events: errors, and
// requests for anything except the file itself.
export async function openText(html, { width = 1280, height = 900, theme = "light" } = {}) {
	const file = join(folder, `${Math.random().toString(36).slice(2)}.html`);
	writeFileSync(file, html);
	return openAt(pathToFileURL(file).href, { width, height, theme });
}

// The same of a page that is served: it can ask its own server.
export async function openAt(address, { width = 1280, height = 900, theme = "light" } = {}) {
	const page = await browser.newPage({ viewport: { width, height }, colorScheme: theme, acceptDownloads: true });
	const isOwn = (url) => url === address || (address.startsWith("http:") && new URL(url).origin === new URL(address).origin);
	page.setDefaultTimeout(ENOUGH_MS);
	page.troubles = [];
	page.on("pageerror", (error) => page.troubles.push(String(error)));
	page.on("console", (message) => page.troubles.push(`console ${message.type()}: ${message.text()}`));
	page.on("request", (request) => {
		if (!isOwn(request.url()) && !request.url().startsWith("data:") && !request.url().startsWith("blob:"))
			page.troubles.push(`a request for ${request.url()}`);
	});
	page.on("dialog", (dialog) => {
		page.troubles.push(`a dialog: ${dialog.message()}`);
		dialog.dismiss();
	});
	await page.goto(address);
	await settled(page);
	return page;
}

export const open = (runs, options) => openText(pageOf(template, runs), options);

// Resolves after the requested change has been drawn: two frames.
export const settled = (page) => page.evaluate(() =>
	new Promise((done) => { requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done, 0))); }));

// Plots are drawn when they come near the window: this unfolds all sections and brings all plots there.
export async function seeAll(page) {
	const viewport = page.viewportSize();
	await page.$$eval("details.folded", (all) => all.forEach((section) => { section.open = true; }));
	await page.setViewportSize({ ...viewport, height: 15000 });
	await page.waitForFunction(() => [...document.querySelectorAll(".plot")].every((plot) => plot.dataset.window));
	await page.setViewportSize(viewport);
	await settled(page);
}

// The seconds [from, to] shown by each plot drawn so far, when those out of sight have followed the others.
export async function windows(page) {
	await settled(page);
	await page.waitForFunction(() => new Set([...document.querySelectorAll(".plot[data-window]")].map((plot) => plot.dataset.window)).size <= 1);
	return page.$$eval(".plot[data-window]", (plots) => plots.map((plot) => plot.dataset.window.split(" ").map(Number)));
}

// download(page, click) -> { name, text } of the file that the click saves.
export async function download(page, click) {
	const [saved] = await Promise.all([page.waitForEvent("download"), click()]);
	return { name: saved.suggestedFilename(), text: readFileSync(await saved.path(), "utf8") };
}
