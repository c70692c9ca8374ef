// picture_buttons.js - saves and copies the picture of a chart.  The PNG is made of the SVG, by the browser.
import { saveFile } from "./csv.js";
import { button } from "./element.js";
import { announce } from "./speech.js";
import { colour } from "./theme.js";

const SHARPNESS = 2;            // pixels of the PNG for each unit of the SVG

// -> a Blob of type image/png
function pngOf({ svg, width, height }) {
	return new Promise((done, failed) => {
		const image = new Image();
		image.onerror = () => failed(new Error("the picture could not be drawn"));
		image.onload = () => {
			const canvas = document.createElement("canvas");
			[canvas.width, canvas.height] = [width * SHARPNESS, height * SHARPNESS];
			canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
			canvas.toBlob((blob) => (blob ? done(blob) : failed(new Error("the picture could not be drawn"))), "image/png");
		};
		image.src = `data:image/svg+xml;charset=utf-8,${encodeURIComponent(svg)}`;
	});
}

// A browser that cannot copy pictures saves it instead.
async function copyPng(picture, file) {
	const png = pngOf(picture);
	try {
		await navigator.clipboard.write([new ClipboardItem({ "image/png": png })]);
		announce("The picture is copied.");
		return "Copied";
	} catch {
		saveFile(file, "png", await png);
		return "Saved";
	}
}

// pictureButtons({ title, file, picture: (colourOf) => { svg, width, height } }) -> buttons
export function pictureButtons({ title, file, picture }) {
	const drawn = () => picture(colour);
	const named = (words) => ({ class: "quiet", "aria-label": words, title: words });
	const copy = button("Copy", async () => {
		copy.textContent = await copyPng(drawn(), file).catch(() => "Not copied");
		setTimeout(() => { copy.textContent = "Copy"; }, 1500);
	}, named(`Copy the picture of ${title}`));
	return [
		button("SVG", () => saveFile(file, "svg", new Blob([drawn().svg], { type: "image/svg+xml" })), named(`Save the picture of ${title} as SVG`)),
		button("PNG", async () => saveFile(file, "png", await pngOf(drawn())), named(`Save the picture of ${title} as PNG`)),
		copy,
	];
}
