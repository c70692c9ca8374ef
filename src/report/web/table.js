// table.js - tables that can be sorted, copied and saved.
import { copyButton } from "./clipboard.js";
import { saveCsv } from "./csv.js";
import { button, el, unseen } from "./element.js";
import { moment, onClockChange } from "./clock.js";
import { quantity } from "./format.js";

const FIRST_ROWS = 12;
const collator = new Intl.Collator("en", { numeric: true });

// Unknown values come last in either direction.
export function compareValues(a, b, direction) {
	const [none, other] = [a === null || a === undefined, b === null || b === undefined];
	if (none || other)
		return none - other;
	const areNumbers = typeof a === "number" && typeof b === "number";
	return direction * (areNumbers ? a - b : collator.compare(String(a), String(b)));
}

// A value as shown in its column: unit "text" as it is, "moment" as a time since the start.
function shown(value, unit) {
	if (value === null || value === undefined || value === "")
		return el("span", { class: "none" }, el("span", { "aria-hidden": "true" }, "–"), unseen("unknown"));
	if (unit === "text" || unit === "id")
		return String(value);
	return unit === "moment" ? moment(value) : quantity(value, unit);
}

// A share as a bar behind its number.
function withBar(cell, share) {
	cell.style.setProperty("--part", Math.min(Math.max(share, 0), 1));
	return cell;
}

// makeTable({ title, file, columns: [{ name, label, unit, wide?, brief? }], rows: [[...]], firstRows?, isDetail? }) -> element
// name is the column in CSV, label the head for people; unit "text" and "wide" text stand left, numbers right,
// "brief" text on one line.  isDetail: paper is without it.
export function makeTable({ title, file, columns, rows, firstRows = FIRST_ROWS, isDetail = false }) {
	let order = rows.map((row) => row);
	let all = rows.length <= firstRows + 3;
	const body = el("tbody");
	const isText = (column) => column.unit === "text";

	function fill() {
		const visible = all ? order : order.slice(0, firstRows);
		body.replaceChildren(...visible.map((row) => el("tr", {}, ...row.map((value, i) => {
			const column = columns[i];
			const kind = column.wide ? "wide" : column.brief ? "brief" : isText(column) ? "text" : "number";
			const cell = shown(value, column.unit);
			if (column.unit === "share" && typeof value === "number")
				return withBar(el("td", { class: "number share" }, cell), value);
			return i === 0 ? el("th", { class: kind, scope: "row" }, cell) : el("td", { class: kind }, cell);
		}))));
		more.hidden = all;
	}

	function sortBy(column, direction) {
		order = rows.map((row) => row).sort((a, b) => compareValues(a[column], b[column], direction));
		heads.forEach((head, i) => {
			if (i === column)
				head.setAttribute("aria-sort", direction > 0 ? "ascending" : "descending");
			else
				head.removeAttribute("aria-sort");
		});
		fill();
	}

	const heads = columns.map((column, i) => {
		const head = el("th", { scope: "col", class: isText(column) ? "text" : "number" });
		head.append(button(column.label, () => {
			// Numbers are sorted from the highest first, names from A.
			const first = isText(column) || column.unit === "moment" || column.unit === "id" ? 1 : -1;
			const now = head.getAttribute("aria-sort");
			sortBy(i, now === null ? first : now === "ascending" ? -1 : 1);
		}, { class: "sort" }));
		return head;
	});
	const more = button(`Show all ${rows.length} rows`, () => {
		all = true;
		fill();
	}, { class: "quiet more" });

	const plain = (value) => String(value ?? "").replace(/[\t\n]/g, " ");
	const tabbed = () => [columns.map((column) => column.label), ...order]
		.map((row) => row.map(plain).join("\t")).join("\n");
	const bar = el("div", { class: "table-bar" }, el("h3", {}, title), el("span", { class: "actions" },
		copyButton(tabbed, `the table ${title}`),
		button("CSV", () => saveCsv(file, columns.map((column) => column.name), order),
			{ class: "quiet", "aria-label": `Save the table ${title} as CSV` })));
	const scroller = el("div", { class: "scroller", tabindex: "0", role: "region", "aria-label": `Table: ${title}` },
		el("table", { class: "data" }, el("caption", { class: "unseen" }, title),
			el("thead", {}, el("tr", {}, ...heads)), body));
	fill();
	const node = el("div", { class: isDetail ? "table detail" : "table" }, bar, scroller, more);
	if (columns.some(({ unit }) => unit === "moment"))
		node.release = onClockChange(fill);
	return node;
}
