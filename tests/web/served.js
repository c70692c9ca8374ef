// served.js - runs that go on, and the program that serves their page, for the tests.
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startBrowser, stopBrowser } from "./browser.js";

// The program; without it there is nothing to test.
export const { PROGRAM } = process.env;
export const folder = mkdtempSync(join(tmpdir(), "report-live-"));
const children = [];

export const begin = startBrowser;
export async function finish() {
	children.filter((child) => child.exitCode === null && child.signalCode === null).forEach((child) => child.kill("SIGKILL"));
	await stopBrowser();
	rmSync(folder, { recursive: true, force: true });
}

// The program with these words; its records are in a folder of its own.
export function start(words, stdin = "ignore") {
	const child = spawn(PROGRAM, words, { cwd: folder, env: { ...process.env, XDG_STATE_HOME: folder }, stdio: [stdin, "pipe", "inherit"] });
	children.push(child);
	return child;
}

// -> the program that serves the newest run, and its address, as soon as there is a run with a record.
export async function serve() {
	for (;;) {
		const server = start(["report", "--live"]);
		const line = await new Promise((done) => {
			server.stdout.once("data", (data) => done(String(data).trim()));
			server.once("exit", () => done(null));
		});
		if (line)
			return { server, address: line };
	}
}

export const ended = (child) => new Promise((done) => { child.exitCode === null && child.signalCode === null ? child.once("exit", done) : done(child.exitCode); });
