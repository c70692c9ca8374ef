/*
 * fixture.h - a captured machine for tests: tests/fixtures/<machine>/<frame>/{proc,sys}/...
 *
 * A fixture copies frame 0 into a temporary directory that serves as the root.  fixture_turn
 * writes the next frame's files over it in place (same inode), so that descriptors which a
 * collector keeps see the new text, as they do on /proc.  The clock is turned by hand.
 */
#ifndef FIXTURE_H
#define FIXTURE_H

#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#include <cmocka.h>

#include "core/collector.h"
#include "patience.h"
#include "sampler/sampler.h"

struct fixture {
	char root[64];                          /* temporary directory, removed at the end */
	char machine[64];
	int64_t now_ns;                         /* both clocks */
	struct source source;
	struct text text;
	struct sample sample;                   /* the last one read */
	struct why why;                         /* what the last reading told people; "": nothing */
	const struct collector *collector;
	void *state;
	struct setup setup;
	uint64_t reads;
	uint64_t forks_since_boot;              /* handed to the collector in its tick */
	uint64_t group;                         /* the same */
	bool brief;                             /* the same */
	bool no_huge_pages;                     /* the machine has none, as its memory collector says */
};

void fixture_open(struct fixture *f, const char *machine);
void fixture_close(struct fixture *f);
/* Lays frame `frame` over the tree and moves the clock on. */
void fixture_turn(struct fixture *f, int frame, double seconds);
/* Writes one file of the tree in place, making its folders; text NULL removes it. */
void fixture_write(struct fixture *f, const char *path, const char *text);
/* A process of one thread that sleeps; start: ticks since boot. */
void fixture_process(struct fixture *f, pid_t pid, pid_t parent, const char *name, unsigned long start);

/* Starts a collector on the tree; returns what start returned. */
int  fixture_start(struct fixture *f, const struct collector *collector);
/* One reading of it into f->sample. */
int  fixture_read(struct fixture *f);
/* Starts a collector and reads it; turns to a frame and reads it.  Fails unless both succeed. */
void fixture_begin(struct fixture *f, const struct collector *collector);
void fixture_advance(struct fixture *f, int frame, double seconds);

/* Fails unless |value - expected| <= 1e-9 * max(1, |expected|). */
void assert_near(double value, double expected);
void assert_none(double value);

#endif
