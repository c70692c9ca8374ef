// speech.js - announcements for screen readers when the keyboard moves the crosshair.
import { el } from "./element.js";

const place = el("div", { class: "unseen", role: "status", "aria-live": "polite" });

export const speechNode = () => place;
export const announce = (text) => { place.textContent = text; };
