// theme.js - light or dark: the system's preference until the user chooses; and the colours for canvases.
import { button } from "./element.js";

const root = document.documentElement;
const prefersDark = window.matchMedia("(prefers-color-scheme: dark)");
const KEY = "resource-tracker-theme";
const listeners = new Set();
let colours = new Map();

// A browser can deny storage to a local file; then the choice lasts as long as the page.
function stored() {
	try {
		return localStorage.getItem(KEY);
	} catch {
		return null;
	}
}

function store(theme) {
	try {
		localStorage.setItem(KEY, theme);
	} catch { /* see stored() */ }
}

let chosen = stored();
const current = () => (chosen === "light" || chosen === "dark" ? chosen : prefersDark.matches ? "dark" : "light");

export function setTheme(theme) {
	root.dataset.theme = theme;
	colours = new Map();
	for (const listener of listeners)
		listener();
}

// The value of a colour of theme.css: colour("series-1").
export function colour(name) {
	if (!colours.has(name))
		colours.set(name, getComputedStyle(root).getPropertyValue(`--${name}`).trim());
	return colours.get(name);
}

// -> a function that ends it
export function onThemeChange(listener) {
	listeners.add(listener);
	return () => listeners.delete(listener);
}

// The same colour for a style, which follows the theme by itself.
export const colourOf = (name) => `var(--${name})`;

export function themeButton() {
	const self = button("", () => {
		chosen = root.dataset.theme === "dark" ? "light" : "dark";
		store(chosen);
		setTheme(chosen);
	}, { class: "theme" });
	const label = () => {
		const other = root.dataset.theme === "dark" ? "Light" : "Dark";
		self.textContent = other;
		self.setAttribute("aria-label", `${other} theme`);
	};
	onThemeChange(label);
	label();
	return self;
}

// Paper is light.
window.addEventListener("beforeprint", () => setTheme("light"));
window.addEventListener("afterprint", () => setTheme(current()));
prefersDark.addEventListener("change", () => setTheme(current()));
setTheme(current());
