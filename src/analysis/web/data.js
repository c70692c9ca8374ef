// data.js - the data that `resource-tracker report` put into the page; their shape is docs/report-data.md.

// -> the data, or a sentence that says why there are none.
export function readData(text) {
	if (text === null)
		return "This page holds no data: it is the empty template of resource-tracker report.";
	let data;
	try {
		data = JSON.parse(text);
	} catch (error) {
		return `The data in this page cannot be read: ${error.message}.`;
	}
	if (data.format !== 1)
		return `The data in this page are of format ${data.format}, and this page reads format 1.`;
	if (!data.runs?.length)
		return "There is no run in this page.";
	return data;
}
