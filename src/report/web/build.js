// build.js - bundles the page into one HTML file: node build.js MODULES OUTPUT, MODULES being a node_modules folder.
//
// The scripts and styles are inline, and the page's Content-Security-Policy allows only them, by hash: whatever a
// record puts into the page, nothing else can run and nothing can be fetched.
import { createHash } from "node:crypto";
import { readFileSync, writeFileSync } from "node:fs";
import { createRequire } from "node:module";
import { dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";

const [modules, output] = process.argv.slice(2);
if (!output) {
	console.error("usage: node build.js MODULES OUTPUT");
	process.exit(2);
}
const here = dirname(fileURLToPath(import.meta.url));
const esbuild = createRequire(join(resolve(modules), "x"))("esbuild");

async function bundle(entry) {
	const result = await esbuild.build({
		entryPoints: [join(here, entry)], bundle: true, minify: true, write: false, charset: "utf8",
		format: "iife", target: ["chrome100", "firefox100", "safari15"], nodePaths: [resolve(modules)],
		legalComments: "inline", logLevel: "warning",
	});
	return result.outputFiles[0].text;
}

// The content of an element ends at its end tag, wherever that occurs.
function inside(element, text) {
	if (text.toLowerCase().includes(`</${element}`))
		throw new Error(`the bundle holds </${element}>`);
	return text;
}

// Distributing uPlot requires its licence; a comment must not contain two dashes.
const licence = readFileSync(join(modules, "uplot/LICENSE"), "utf8").trim();
if (licence.includes("--"))
	throw new Error("uPlot's licence cannot be put into a comment");

const hash = (text) => `'sha256-${createHash("sha256").update(text).digest("base64")}'`;

const script = inside("script", await bundle("main.js"));
const style = inside("style", await bundle("page.css"));
const policy = `default-src 'none'; script-src ${hash(script)}; style-src ${hash(style)}; ` +
	"img-src data:; base-uri 'none'; form-action 'none'; require-trusted-types-for 'script'";

// Functions, because $ signs in a replacement text have a meaning.
const page = readFileSync(join(here, "page.html"), "utf8")
	.replace("LICENCE", () => licence)
	.replace("POLICY", () => policy)
	.replace("STYLE", () => style)
	.replace("SCRIPT", () => script);
if (page.split("<!--REPORT-DATA-->").length !== 2)
	throw new Error("the page must hold the marker of the data once");
writeFileSync(output, page);
