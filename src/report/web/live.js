// live.js - the data of a run that goes on, as `resource-tracker report --live` sends them to its page.
import { el } from "./element.js";
import { timeOfDay } from "./format.js";

const WORDS = {
	live: "Live: this page grows while the run goes on.",
	lost: "The connection to resource-tracker was lost; what is here stays. It is tried again.",
	over: "The run is over: this page is complete.",
};

// follow(onData) -> a node that says how it goes; onData(text) is called with all data whenever they have changed.
export function follow(onData) {
	const words = el("span", { role: "status" });
	const when = el("span", { class: "when" });
	const node = el("p", { class: "live" }, words, " ", when);
	const say = (state, text = WORDS[state]) => {
		node.dataset.state = state;
		if (words.textContent !== text)
			words.textContent = text;
	};
	const source = new EventSource(`events${location.search}`);
	source.addEventListener("open", () => say("live"));
	source.addEventListener("error", () => say("lost"));
	source.addEventListener("run", ({ data }) => {
		onData(data);
		when.textContent = `Last change ${timeOfDay(Date.now() / 1000)}.`;
	});
	source.addEventListener("over", () => {
		source.close();
		say("over");
	});
	source.addEventListener("gone", ({ data }) => {
		source.close();
		say("gone", `No more comes: ${data}.`);
	});
	say("live");
	return node;
}
