// pictures.mjs FILE - a picture of the report that REPORT_PAGE names: its charts of CPU and memory.
//
// The environment is that of tests/web/browser.js.
import { openText, seeAll, startBrowser, stopBrowser, template } from "../tests/web/browser.js";

const WIDTH = 900, MARGIN = 10;

await startBrowser();
const page = await openText(template, { width: WIDTH });
await seeAll(page);
const box = (id) => page.locator(id).boundingBox();
const top = (await box("#section-cpu")).y - MARGIN;
const last = await box("#memory");
await page.screenshot({
	path: process.argv[2], fullPage: true,
	clip: { x: 0, y: top, width: WIDTH, height: last.y + last.height + MARGIN - top },
});
await stopBrowser();
