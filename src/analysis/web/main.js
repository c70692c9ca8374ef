// main.js - builds the page from its data.
import uPlot from "uplot";
import { readData } from "./data.js";

const data = readData(document.getElementById("report-data")?.textContent ?? null);
const page = document.getElementById("page");
page.textContent = typeof data === "string" ? data : data.runs.map((run) => run.name).join(", ");
void uPlot;
