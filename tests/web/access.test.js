// access.test.js - the page is accessible: axe-core finds no fault, the keyboard reaches every part, a phone fits.
import assert from "node:assert/strict";
import { after, before, test } from "node:test";
import { axeSource, open, settled, startBrowser, stopBrowser } from "./browser.js";
import { almostNothing, everything, hostile, ranks } from "./runs.js";

before(startBrowser);
after(stopBrowser);

async function complaints(page, options = {}) {
	const { violations } = await page.evaluate((rest) => window.axe.run(document, { resultTypes: ["violations"], ...rest }), options);
	return violations.map(({ id, nodes }) => `${id}: ${nodes.slice(0, 3).map((node) => node.target).join(", ")}`);
}

for (const [name, runs] of [["everything", [everything()]], ["almost nothing", [almostNothing()]], ["ranks", ranks(8)]])
	test(`axe-core finds no fault, light or dark: ${name}`, async () => {
		const page = await open(runs);
		await page.evaluate(axeSource);
		const table = page.getByLabel("Table of CPU", { exact: true });
		if (await table.count())
			await table.click();
		assert.deepEqual(await complaints(page), []);
		await page.getByRole("button", { name: "Dark theme" }).click();
		await settled(page);
		assert.deepEqual(await complaints(page, { runOnly: ["color-contrast"] }), [], "dark");
		await page.close();
	});

for (const [name, runs] of [["one run", [everything()]], ["ranks", ranks(7)]])
	test(`the Tab key reaches every control: ${name}`, async () => {
		const page = await open(runs);
		const wanted = await page.evaluate(() => {
			const all = [...document.querySelectorAll("button, a[href], select, summary, [tabindex='0']")]
				.filter((node) => !node.disabled && node.checkVisibility());
			all.forEach((node, i) => { node.dataset.stop = i; });
			return all.length;
		});
		assert.ok(wanted > 60);
		const seen = new Set();
		for (let i = 0; i < wanted; i++) {
			await page.keyboard.press("Tab");
			const stop = await page.evaluate(() => {
				const node = document.activeElement;
				return { stop: node.dataset.stop, outline: getComputedStyle(node).outlineStyle };
			});
			assert.notEqual(stop.outline, "none", "the focus is seen");
			seen.add(stop.stop);
		}
		seen.delete(undefined);
		assert.equal(seen.size, wanted);
		await page.close();
	});

for (const [name, runs] of [["everything", [everything()]], ["hostile names", [hostile()]], ["ranks", ranks(8)], ["almost nothing", [almostNothing()]]])
	test(`a phone needs no sideways scrolling: ${name}`, async () => {
		const page = await open(runs, { width: 375 });
		await settled(page);
		assert.ok(await page.evaluate(() => document.documentElement.scrollWidth) <= 375);
		await page.close();
	});
