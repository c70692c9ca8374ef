// growth.test.js - a page of `report --live` that has grown with a job for a while shows the same as the job's report.
import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, before, test } from "node:test";
import { openAt, seeAll, settled } from "./browser.js";
import { pathToFileURL } from "node:url";
import { begin, ended, finish, folder, PROGRAM, serve, start } from "./served.js";

// How long the job takes at least, and the time between its samples.
const SECONDS = Number(process.env.GROWTH_SECONDS ?? 20);
const INTERVAL_S = SECONDS > 30 ? 1 : 0.2;

before(begin);
after(finish);

// Computes, packs, writes and waits in turn, until the file that it is given exists; with regions, also nested ones, and a
// mark; programs that start programs.
const JOB = `
say() { echo "$*" >>"$RESOURCE_TRACKER_REGIONS"; }
end=$(($(date +%s) + ${SECONDS}))
say begin work
while [ $(date +%s) -lt $end ] || [ ! -e "$1" ]; do
	say begin pack
	sh -c 'seq 200000 | sort -r | gzip | wc -c' >/dev/null
	say end pack
	dd if=/dev/zero of=written bs=1M count=4 conv=fsync 2>/dev/null
	rm -f written
	sleep 0.3
done
say mark packed
say end work
`;

const words = (page) => page.evaluate(() => {
	const copy = document.getElementById("page").cloneNode(true);
	copy.querySelectorAll(".live, footer").forEach((node) => node.remove());
	return [...copy.querySelectorAll("h1, h2, h3, p, li, figcaption, dt, dd, th, td, summary, .tile, .legend li, .label")].map((node) => `${node.tagName}: ${node.textContent}`);
});

// Each chart as it is drawn.
const pictures = async (page) => Object.fromEntries(await page.$$eval("figure.chart", (all) => all
	.filter((one) => one.querySelector("canvas")).map((one) => [one.id, [...one.querySelectorAll("canvas")].map((canvas) => canvas.toDataURL()).join(" ")])));

// Each table as the page would save it, by the name of the file.
const tables = async (page) => Object.fromEntries(await page.evaluate(async () => {
	const [make, saved] = [URL.createObjectURL, []];
	let blob = null;
	URL.createObjectURL = (made) => {
		blob = made;
		return make.call(URL, made);
	};
	HTMLAnchorElement.prototype.click = function click() { saved.push([this.download, blob]); };
	document.querySelectorAll("button[aria-label^='Save '][aria-label$=' as CSV']").forEach((one) => one.click());
	delete HTMLAnchorElement.prototype.click;
	URL.createObjectURL = make;
	return Promise.all(saved.map(async ([name, of]) => [name, await of.text()]));
}));

async function seen(page) {
	await page.mouse.move(0, 0);
	await seeAll(page);
	await page.evaluate(() => window.scrollTo(0, 0));
	await settled(page);
	return { words: await words(page), tables: await tables(page), pictures: await pictures(page) };
}

test(`a page that has grown for ${SECONDS} s shows what the report of the run shows`, { skip: !PROGRAM }, async () => {
	writeFileSync(join(folder, "job.sh"), JOB);
	const job = start(["--quiet", "-i", String(INTERVAL_S), "-n", "growing", "--", "sh", join(folder, "job.sh"), join(folder, "seen")]);
	const { server, address } = await serve();
	const page = await openAt(address);
	// Each change, and how far the page then is.
	await page.evaluate(() => {
		window.changes = [];
		new MutationObserver(() => {
			const to = Number(document.querySelector("#cpu .plot")?.dataset.window?.split(" ")[1] ?? 0);
			if (to > (window.changes.at(-1) ?? 0))
				window.changes.push(to);
		}).observe(document.body, { subtree: true, childList: true, characterData: true, attributes: true });
	});
	await page.waitForFunction(() => window.changes.length >= 4);
	writeFileSync(join(folder, "seen"), "");
	await page.waitForFunction(() => document.querySelector(".live").dataset.state === "over");
	assert.equal(await ended(job), 0);
	assert.equal(await ended(server), 0);
	await page.waitForFunction(() => /Succeeded/.test(document.querySelector(".badge").textContent));
	const changes = await page.evaluate(() => window.changes);
	assert.ok(changes.length >= 5 && changes.at(-1) >= SECONDS - 2, `it grew ${changes.length} times, to ${changes.at(-1)} s`);
	const grown = await seen(page);
	assert.deepEqual(page.troubles, []);
	if (process.env.SCREENSHOTS)
		await page.screenshot({ path: join(process.env.SCREENSHOTS, "grown.png"), fullPage: true });
	await page.close();

	const report = start(["report", "last", "-o", join(folder, "report.html")]);
	assert.equal(await ended(report), 0);
	const finished = await openAt(pathToFileURL(join(folder, "report.html")).href);
	const whole = await seen(finished);
	if (process.env.SCREENSHOTS)
		await finished.screenshot({ path: join(process.env.SCREENSHOTS, "finished.png"), fullPage: true });
	await finished.close();
	assert.ok(whole.words.some((text) => text.includes("work/pack")) && Object.keys(whole.pictures).length >= 4 && Object.keys(whole.tables).length >= 8, "there is something to compare");
	assert.deepEqual(grown.words, whole.words);
	assert.deepEqual(Object.keys(grown.tables), Object.keys(whole.tables));
	for (const name of Object.keys(whole.tables))
		assert.equal(grown.tables[name], whole.tables[name], name);
	assert.deepEqual(Object.keys(grown.pictures), Object.keys(whole.pictures));
	for (const id of Object.keys(whole.pictures))
		assert.ok(grown.pictures[id] === whole.pictures[id], `the chart ${id} is drawn otherwise`);
});
