// clipboard.js - a button that copies a text and confirms it.
import { button } from "./element.js";

// Browsers can deny the clipboard API to a local file; the old command works from any click.
async function copy(text) {
	try {
		await navigator.clipboard.writeText(text);
		return true;
	} catch {
		const area = document.createElement("textarea");
		area.value = text;
		area.className = "unseen";
		document.body.append(area);
		area.select();
		const done = document.execCommand("copy");
		area.remove();
		return done;
	}
}

// copyButton(() => text, "the command") -> a button "Copy" named "Copy the command"
export function copyButton(textOf, what) {
	const self = button("Copy", async () => {
		self.textContent = (await copy(textOf())) ? "Copied" : "Not copied";
		setTimeout(() => { self.textContent = "Copy"; }, 1500);
	}, { class: "quiet", "aria-label": `Copy ${what}` });
	return self;
}
