// live.test.js - the page that `report --live` serves, in a browser, while a real run goes on.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { openAt, settled } from "./browser.js";
import { begin, ended, finish, PROGRAM, serve, start } from "./served.js";

const SHORT_S = 0.1;

before(begin);
after(finish);

// A run that goes on until its stdin ends; its loop is in a region from its second line on.
function startJob() {
	return start(["--quiet", "-i", String(SHORT_S), "-n", "growing", "--", "sh", "-c", 'read a; echo "begin later" >>"$RESOURCE_TRACKER_REGIONS"; read b; echo "end later" >>"$RESOURCE_TRACKER_REGIONS"; read c'], "pipe");
}

// A plot has no window between its making and its first drawing.
const DRAWN = "#cpu .plot[data-window]";
const end = async (page) => {
	const window = await page.waitForFunction((drawn) => document.querySelector(drawn)?.dataset.window, DRAWN);
	return Number((await window.jsonValue()).split(" ")[1]);
};

// A value of the machine that was 0 so far can get a line at any time, and then all charts are made anew: body() is
// repeated until that did not happen meanwhile, and what it returns checks what it saw.
async function undisturbed(page, body) {
	for (let i = 0; i < 60; i++) {
		await page.evaluate(() => { document.querySelector("#cpu").mark = true; });
		const check = await body();
		if (await page.evaluate(() => document.querySelector("#cpu").mark))
			return check();
	}
	assert.fail("the charts are made anew again and again");
}

test("a page grows with its run, keeps what its reader chose, and is complete at its end", { skip: !PROGRAM }, async () => {
	const job = startJob();
	const { server, address } = await serve();
	const page = await openAt(address);
	await page.waitForSelector(DRAWN);
	assert.match(await page.textContent(".live"), /^Live: this page grows/);
	assert.match(await page.textContent(".badge"), /Still running/);

	// The whole run stays in view, in the same chart.
	await undisturbed(page, async () => {
		const first = await end(page);
		await page.waitForFunction(([before, drawn]) => Number(document.querySelector(drawn)?.dataset.window.split(" ")[1]) > before + 1, [first, DRAWN]);
		return () => {};
	});

	// A part that does not show the newest moment stays, and so does a line that was turned off.
	await undisturbed(page, async () => {
		await page.evaluate(() => { location.hash = "from=0.2&to=0.6"; });
		await page.locator("#cpu .legend .name").first().click();
		const seen = await page.textContent(".live .when");
		await page.waitForFunction((before) => document.querySelector(".live .when").textContent !== before, seen);
		await settled(page);
		const [last, pressed] = [await end(page), await page.getAttribute("#cpu .legend .name", "aria-pressed")];
		return () => {
			assert.ok(Math.abs(last - 0.6) < 0.01, `${last}`);
			assert.equal(pressed, "false");
		};
	});

	// What the run did not have at first comes when it has it.
	job.stdin.write("go\n");
	job.stdin.write("on\n");
	await page.waitForSelector("#region-lanes", { state: "attached" });

	job.stdin.end();
	await page.waitForFunction(() => document.querySelector(".live").dataset.state === "over");
	await page.waitForFunction(() => /Succeeded|Failed/.test(document.querySelector(".badge").textContent));
	assert.equal(await ended(server), 0);
	assert.deepEqual(page.troubles, []);
	await page.close();
});

test("a page whose server is gone says so, and stays", { skip: !PROGRAM }, async () => {
	const job = startJob();
	const { server, address } = await serve();
	const page = await openAt(address);
	await page.waitForSelector(DRAWN);
	server.kill("SIGKILL");
	await page.waitForFunction(() => document.querySelector(".live").dataset.state === "lost");
	assert.ok(await page.locator("#cpu canvas").count() > 0);
	job.stdin.end();
	await page.close();
});
