/* opener.c - detects a forked child, by a page that fork wipes. */
#include "opener.h"

#include <sys/mman.h>

enum { PAGE_BYTES = 4096 };

void opener_open(struct opener *ret)
{
	void *page = mmap(NULL, PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);

	*ret = (struct opener){ .pid = getpid() };
	if (page == MAP_FAILED)
		return;
	if (madvise(page, PAGE_BYTES, MADV_WIPEONFORK) < 0) {
		(void)munmap(page, PAGE_BYTES);
		return;
	}
	*(uint32_t *)page = 1;
	ret->page = page;
}

void opener_close(struct opener *o)
{
	if (o->page)
		(void)munmap((void *)(uintptr_t)o->page, PAGE_BYTES);
	o->page = NULL;
}
