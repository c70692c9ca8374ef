// choice.js - a list with a label, of which one item is chosen.
import { el } from "./element.js";

const options = (choices, chosen) => choices.map(({ value, label }) =>
	el("option", { value, selected: value === chosen }, label));

// choice("Quantity", "quantity", [{ value, label }], "cpu", (value) => ...) -> an element
export function choice(label, id, choices, chosen, onchange) {
	const select = el("select", { id, onchange: () => onchange(select.value) }, ...options(choices, chosen));
	return el("span", { class: "choice" }, el("label", { for: id }, label), select);
}
