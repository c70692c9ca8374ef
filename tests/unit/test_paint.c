/* test_paint.c - what is sent to a terminal, read by a small terminal of the test's own. */
#include "fixture.h"

#include <stdio.h>
#include <string.h>

#include "core/scan.h"
#include "top/paint.h"
#include "top/view.h"

/* Understands what paint() sends, and nothing else. */
struct terminal { struct cells cells; unsigned row, column; enum tint tint; };

static enum tint tint_of(struct word parameters)
{
	static const struct { const char *text; enum tint tint; } all[] = {
		{ "0", TINT_PLAIN }, { "0;1", TINT_BOLD }, { "0;2", TINT_FAINT }, { "0;7", TINT_HEAD },
		{ "0;1;32", TINT_GOOD }, { "0;1;33", TINT_WARN }, { "0;1;31", TINT_BAD }, { "0;32", TINT_CPU },
		{ "0;36", TINT_MEMORY }, { "0;33", TINT_DISK }, { "0;35", TINT_NETWORK }, { "0;34", TINT_GPU },
	};

	for (size_t i = 0; i < countof(all); i++)
		if (word_is(parameters, all[i].text))
			return all[i].tint;
	fail_msg("an unknown tint: %.*s", (int)parameters.len, parameters.at);
	return TINT_PLAIN;
}

static void control(struct terminal *t, struct word parameters, char final)
{
	struct scan s = scan_of(parameters.at, parameters.len);
	uint64_t row = 0, column = 0;

	switch (final) {
	case 'm':
		t->tint = tint_of(parameters);
		break;
	case 'H':
		assert_true(scan_u64(&s, &row) && scan_literal(&s, ";") && scan_u64(&s, &column));
		assert_in_range(row, 1, t->cells.rows);
		assert_in_range(column, 1, t->cells.columns);
		t->row = (unsigned)row - 1;
		t->column = (unsigned)column - 1;
		break;
	case 'J':
		cells_clear(&t->cells);
		break;
	case 'K':
		for (unsigned i = t->column; i < t->cells.columns; i++)
			cells_put(&t->cells, t->row, i, ' ', TINT_PLAIN);
		break;
	default:
		fail_msg("an unknown control: %c", final);
	}
}

static void receive(struct terminal *t, const struct buffer *sent)
{
	static const unsigned char mask[] = { 0x7f, 0, 0x1f, 0x0f, 0x07 };

	for (size_t i = 0; i < sent->len;) {
		unsigned char first = (unsigned char)sent->at[i];

		if (first == '\033') {
			size_t end = i + 2;

			while (strchr("0123456789;", sent->at[end]))
				end++;
			control(t, (struct word){ sent->at + i + 2, end - i - 2 }, sent->at[end]);
			i = end + 1;
			continue;
		}

		size_t n = first < 0x80 ? 0 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
		uint32_t sign = first & mask[n];

		for (size_t j = 1; j < n; j++)
			sign = sign << 6 | ((unsigned char)sent->at[i + j] & 0x3f);
		assert_in_range(t->column, 0, t->cells.columns - 1);
		cells_put(&t->cells, t->row, t->column++, sign, t->tint);
		i += size_max(n, 1);
	}
}

/* What can be seen: the tint of a blank cannot, unless it is reversed. */
static void assert_shows(const struct terminal *t, const struct cells *c)
{
	for (unsigned row = 0; row < c->rows; row++)
		for (unsigned column = 0; column < c->columns; column++) {
			const struct cell *is = cell_at(&t->cells, row, column), *want = cell_at(c, row, column);

			if (is->sign != want->sign ||
			    (is->tint != want->tint &&
			     (want->sign != ' ' || is->tint == TINT_HEAD || want->tint == TINT_HEAD)))
				fail_msg("at %u, %u: %x in %d, not %x in %d", row, column, (unsigned)is->sign,
					 (int)is->tint, (unsigned)want->sign, (int)want->tint);
		}
}

static unsigned seed = 1;

static unsigned chance(unsigned of)
{
	seed = seed * 1103515245 + 12345;
	return (seed >> 16) % of;
}

static void scribble(struct cells *c, unsigned times)
{
	static const uint32_t signs[] = { ' ', ' ', ' ', 'a', '0', 0xe4, 0x2588, 0x28ff };

	while (times-- > 0)
		for (unsigned row = chance(c->rows), column = chance(c->columns), n = chance(9); n > 0; n--)
			cells_put(c, row, column++, signs[chance(countof(signs))], (enum tint)chance(TINT_COUNT));
}

static void a_terminal_shows_what_was_painted(void **state)
{
	struct painter p = { .inks = true, .colour = true };
	struct terminal t = { 0 };
	struct cells now = { 0 };
	struct buffer out = { 0 };

	(void)state;
	assert_int_equal(cells_resize(&now, 12, 50), 0);
	assert_int_equal(cells_resize(&t.cells, 12, 50), 0);
	scribble(&t.cells, 100);                        /* what was there before */
	for (unsigned i = 0; i < 500; i++) {
		if (i % 50 == 49)
			cells_clear(&now);
		if (i % 70 == 69)
			paint_forget(&p);
		scribble(&now, 1 + chance(40));
		buffer_clear(&out);
		assert_int_equal(paint(&out, &p, &now), 0);
		receive(&t, &out);
		assert_shows(&t, &now);
	}
	buffer_clear(&out);
	assert_int_equal(paint(&out, &p, &now), 0);
	assert_int_equal(out.len, 0);                   /* nothing changed */
	paint_forget(&p);
	cells_release(&now);
	cells_release(&t.cells);
	buffer_release(&out);
}

static void one_digit_costs_a_few_bytes(void **state)
{
	struct painter p = { .inks = true, .colour = true };
	struct cells now = { 0 };
	struct buffer out = { 0 };

	(void)state;
	assert_int_equal(cells_resize(&now, 24, 80), 0);
	(void)cells_text(&now, 3, 10, 70, "1.50 cores", true, TINT_PLAIN);
	assert_int_equal(paint(&out, &p, &now), 0);
	buffer_clear(&out);
	(void)cells_text(&now, 3, 10, 70, "1.57 cores", true, TINT_PLAIN);
	assert_int_equal(paint(&out, &p, &now), 0);
	buffer_char(&out, '\0');
	assert_string_equal(out.at, "\033[4;14H\033[0m7");
	paint_forget(&p);
	cells_release(&now);
	buffer_release(&out);
}

static void without_colour_there_is_none(void **state)
{
	static const struct { bool inks; const char *sent; } cases[] = {
		{ true, "\033[0m\033[2J\033[1;1H\033[0;1ma\033[0mb" }, { false, "\033[0m\033[2J\033[1;1Hab" },
	};
	struct cells now = { 0 };

	(void)state;
	assert_int_equal(cells_resize(&now, 1, 9), 0);
	cells_put(&now, 0, 0, 'a', TINT_BAD);
	cells_put(&now, 0, 1, 'b', TINT_CPU);
	for (size_t i = 0; i < countof(cases); i++) {
		struct painter p = { .inks = cases[i].inks };
		struct buffer out = { 0 };

		assert_int_equal(paint(&out, &p, &now), 0);
		buffer_char(&out, '\0');
		assert_string_equal(out.at, cases[i].sent);
		paint_forget(&p);
		buffer_release(&out);
	}
	cells_release(&now);
}

/* A second of a job that uses everything differently each time. */
static void live(struct model *m, unsigned second, struct entry *processes, size_t n)
{
	static struct sample row;

	sample_clear(&row);
	row.interval_seconds = 1;
	row.monotonic_ns = (second + 1) * NS_PER_SECOND;
	row.total.process_cpu_cores = chance(200) / 100.0;
	row.total.process_cpu_seconds = row.total.process_cpu_cores;
	row.total.cpu_count = 2;
	row.total.memory_total_bytes = (double)(UINT64_C(64) << 30);
	row.total.process_pss_bytes = 1e9 + chance(1000) * 1e6;
	row.total.process_disk_read_bytes = chance(1000) * 1e5;
	row.total.process_disk_write_bytes = chance(1000) * 1e5;
	row.total.process_net_recv_bytes = chance(1000) * 1e4;
	row.total.process_net_sent_bytes = chance(1000) * 1e3;
	model_row(m, &row, NULL);
	for (size_t i = 0; i < n; i++)
		processes[i] = (struct entry){
			.name = "worker", .pid = (pid_t)(1000 + i), .state = "RS"[chance(2)], .count = 1 + chance(4),
			.cores = chance(200) / 100.0, .bytes = chance(1000) * 1e6,
			.disk_bytes_per_second = chance(1000) * 1e4, .cpu_seconds = second + chance(100) / 100.0,
		};
}

/* Bytes in a second, on average over ten minutes, at one sample a second; and the screen is still drawn. */
static void assert_thrifty(unsigned rows, unsigned columns, double bytes_per_second, unsigned screens)
{
	enum { SECONDS = 600 };
	static struct entry processes[200];
	static struct model m;
	struct record_facts *facts = calloc(1, sizeof *facts);
	struct painter p = { .inks = true, .colour = true };
	struct choices choices = { .table = PROGRAMS };
	struct processes_now now = { processes, countof(processes), NONE, NULL };
	struct looks looks = { SIGNS_BRAILLE, true };
	struct cells c = { 0 };
	struct buffer out = { 0 };
	unsigned drawn = 0;

	assert_non_null(facts);
	model_begin(&m, facts);
	m.tracked = true;
	assert_int_equal(cells_resize(&c, rows, columns), 0);
	for (unsigned second = 0; second < SECONDS; second++) {
		live(&m, second, processes, countof(processes));
		if (!paint_may(&p, 1))
			continue;
		view_draw(&c, &m, &now, &choices, &looks);
		assert_int_equal(paint(&out, &p, &c), 0);
		drawn++;
	}
	print_message("%ux%u: %.0f bytes/s, %u screens in %d s\n", rows, columns, (double)out.len / SECONDS, drawn,
		      SECONDS);
	assert_true((double)out.len / SECONDS < bytes_per_second);
	assert_in_range(drawn, screens, SECONDS);
	paint_forget(&p);
	cells_release(&c);
	buffer_release(&out);
	free(facts);
}

static void a_slow_line_is_enough(void **state)
{
	(void)state;
	assert_thrifty(24, 80, 2048, 590);              /* each second */
	assert_thrifty(50, 160, 2048, 200);
	assert_thrifty(100, 300, 2048, 60);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_terminal_shows_what_was_painted), cmocka_unit_test(one_digit_costs_a_few_bytes),
		cmocka_unit_test(without_colour_there_is_none), cmocka_unit_test(a_slow_line_is_enough),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
