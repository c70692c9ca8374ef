/* advice_markdown.c - an advice in GitHub's Markdown, as a part of a summary. */
#include "advice_words.h"

#include "../text/markdown.h"

void advice_markdown(struct buffer *out, const struct advice *a)
{
	bool any = false;

	for (enum advised i = 0; i < ADVISED_COUNT; i++) {
		const struct advice_item *item = &a->of[i];

		if (!item->why[0])
			continue;
		if (!any)
			buffer_text(out, "| next run | request | why |\n|---|---|---|\n");
		any = true;
		buffer_format(out, "| %s | ", advised[i].name);
		markdown_plain(out, item->value);
		buffer_text(out, " | ");
		markdown_plain(out, item->why);
		buffer_text(out, " |\n");
	}
	if (any) {
		buffer_format(out, "\nConfidence %s: ", confidences[a->confidence]);
		markdown_plain(out, a->confidence_why);
		buffer_text(out, "\n\n");
	}
	for (enum finding i = 0; i < FINDING_COUNT; i++) {
		if (!a->findings[i][0])
			continue;
		buffer_format(out, "- **%s**: ", findings[i].label);
		markdown_plain(out, a->findings[i]);
		buffer_char(out, '\n');
	}
}
