// validate.mjs MODULES - reads a manifest as JSON from stdin and checks it by the schema of its kind; prints what is wrong.
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import { pathToFileURL } from "node:url";

const manifest = JSON.parse(readFileSync(0, "utf8"));
const models = pathToFileURL(resolve(process.argv[2], "kubernetes-models", manifest.apiVersion, "index.js"));
const { [manifest.kind]: Model } = await import(models);

try {
	new Model(manifest).validate();
} catch (error) {
	console.log(error.message);
	process.exit(1);
}
