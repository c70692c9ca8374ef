// ramp.js - the colours of maps, from nothing to the most, through the stops heat-0...heat-4 of theme.css.
import { colour } from "./theme.js";

const STEPS = 32;
const channels = (hex) => [1, 3, 5].map((i) => parseInt(hex.slice(i, i + 2), 16));

// -> STEPS + 1 colours as [red, green, blue]
export function ramp() {
	const stops = [0, 1, 2, 3, 4].map((i) => channels(colour(`heat-${i}`)));
	return Array.from({ length: STEPS + 1 }, (_, i) => {
		const place = (i / STEPS) * 4;
		const from = Math.min(Math.floor(place), 3);
		return stops[from].map((c, k) => Math.round(c + (stops[from + 1][k] - c) * (place - from)));
	});
}

// Which of them a share has, 0 to 1.
export const shadeOf = (share) => Math.round(Math.min(Math.max(share, 0), 1) * STEPS);

export const hexOf = (rgb) => `#${rgb.map((c) => c.toString(16).padStart(2, "0")).join("")}`;
