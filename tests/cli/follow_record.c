/* follow_record.c - follows a record, or a feed on stdin (-), and prints each line that arrives, for tests. */
#include <stdio.h>

#include "../../src/readers/record_reader.h"

int main(int argc, char **argv)
{
	struct record_reader *r;
	struct why why;

	if (argc != 2 || record_reader_follow(&r, argv[1], &why) < 0)
		return 1;
	(void)setvbuf(stdout, NULL, _IOLBF, 0);
	(void)printf("header %s\n", record_reader_facts(r)->id);
	for (enum record_item item; (item = record_reader_next(r)) != RECORD_OVER;)
		if (item == RECORD_LATER)
			record_reader_wait(r, -1);
		else if (item == RECORD_ROW)
			(void)printf("row %.4f\n", (double)record_reader_sample(r)->monotonic_ns / 1e9);
	(void)printf("%s\n", record_reader_facts(r)->has_end ? "end" : "cut off");
	record_reader_close(r);
	return 0;
}
