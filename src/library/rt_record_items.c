/* rt_record_items.c - the last item read from a record, converted for callers. */
#include "record_state.h"
#include "rt_exit.h"

size_t rt_record_samples(const struct rt_record *record)
{
	return record->has_row ? record_reader_samples(record->reader) : 0;
}

static double start_of(const struct rt_record *record)
{
	return (double)record_reader_facts(record->reader)->run.start_wall_ns / (double)NS_PER_SECOND;
}

int rt_record_exit(const struct rt_record *record, struct rt_exit *ret)
{
	double start = start_of(record);

	return exit_give(ret, record_reader_exit(record->reader), start, start);
}

int rt_record_region(const struct rt_record *record, struct rt_record_region *ret)
{
	static const enum rt_record_region_kind kinds[] = {
		[REGION_ENTRY] = RT_RECORD_ENTRY, [REGION_MARK] = RT_RECORD_MARK, [REGION_VALUE] = RT_RECORD_VALUE,
	};
	const struct region_event *e = record_reader_region(record->reader);
	struct rt_record_region found = {
		.size = ret->size, .kind = kinds[e->kind], .unfinished = e->unfinished,
		.timestamp_seconds = start_of(record) + (double)e->monotonic_ns / (double)NS_PER_SECOND,
		.seconds = e->seconds, .cpu_seconds = e->cpu_seconds, .value = e->value, .tid = (double)e->tid,
		.path = e->path, .text = e->text,
	};

	return result_give(ret, found.size, &found, sizeof found);
}
