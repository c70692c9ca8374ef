// element.js - creates elements.  Text is added as text nodes only, so nothing in a record can become markup.

// el("button", { class: "quiet", onclick: f, "aria-pressed": true }, "text", child, ...) -> element.
// A property that is null or false is left out; one that begins with "on" is a listener.
export function el(tag, properties = {}, ...children) {
	const element = document.createElement(tag);
	for (const [name, value] of Object.entries(properties)) {
		if (value === null || value === undefined || value === false)
			continue;
		if (name.startsWith("on"))
			element.addEventListener(name.slice(2), value);
		else
			element.setAttribute(name, value === true && !name.startsWith("aria-") ? "" : String(value));
	}
	element.append(...children.filter((child) => child !== null && child !== undefined));
	return element;
}

// button("Reset", what it does, { more properties }) -> a button that submits nothing.
export function button(label, onclick, properties = {}) {
	return el("button", { type: "button", onclick, ...properties }, label);
}

// Text for screen readers only.
export const unseen = (text) => el("span", { class: "unseen" }, text);
