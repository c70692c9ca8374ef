/* summary_template.c - the summary of a recording by a template of the user's. */
#include "digest.h"

#include <string.h>

#include "../text/template.h"
#include "../text/utc.h"
#include "past_run.h"
#include "run_words.h"

enum {                                          /* in the order of template_names */
#define FACT(name, help) FACT_##name,
#include "../core/run_facts.def"
	FACT_COUNT
};

static void value(void *context, struct buffer *out, size_t name, bool number)
{
	const struct digest *d = context;
	const struct recording_facts *f = d->facts;
	enum run_state state = d->state;
	enum quantity quantity = (enum quantity)(name - FACT_COUNT);    /* those are after the facts */
	char utc[UTC_SIZE];

	switch (name) {
	case FACT_id:
		buffer_text(out, f->id);
		break;
	case FACT_name:
		run_name_words(out, d);
		break;
	case FACT_command:
		run_command_words(out, &f->run);
		break;
	case FACT_status:
		buffer_text(out, state < STATE_COUNT ? run_states[state] : "");
		break;
	case FACT_exit_code:
		if (state == STATE_OK || state == STATE_FAILED)
			buffer_i64(out, f->status.value);
		break;
	case FACT_signal:
		if (state == STATE_KILLED)
			buffer_i64(out, f->status.value);
		break;
	case FACT_cause:
		buffer_text(out, f->status.reason.text);
		break;
	case FACT_start:
		utc_write(utc, f->run.start_wall_ns);
		buffer_text(out, utc);
		break;
	case FACT_host:
		buffer_text(out, f->host.name);
		break;
	case FACT_samples:
		buffer_u64(out, aggregate_samples(d->whole));
		break;
	case FACT_record:
		buffer_text(out, d->path);
		break;
	default:
		quantity_write(out, quantity, quantity_value(&d->values, quantity), number);
	}
}

void digest_template(struct buffer *out, const struct digest *d, const char *template)
{
	/* digest is only read: value() has one kind of context for all templates. */
	union { const struct digest *given; void *context; } digest = { d };

	template_write(out, template, value, digest.context);
}
