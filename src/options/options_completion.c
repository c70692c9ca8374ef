/* options_completion.c - completions for bash, zsh and fish, from the table of options. */
#include <string.h>

#include "completion.h"

int options_completion(struct buffer *out, const char *shell)
{
	static const struct { const char *name; void (*write)(struct buffer *out); } shells[] = {
		{ "bash", completion_bash }, { "zsh", completion_zsh }, { "fish", completion_fish },
	};

	for (size_t i = 0; i < countof(shells); i++)
		if (strcmp(shell, shells[i].name) == 0) {
			shells[i].write(out);
			return 0;
		}
	return -EINVAL;
}
