/*
 * fixture.h - a captured machine for tests: tests/fixtures/<machine>/<frame>/{proc,sys}/...
 *
 * A fixture copies frame 0 into a temporary directory that serves as the root.  fixture_turn
 * writes the files of another frame over it in place (same inode), so that descriptors which a
 * collector keeps read the new text, as they do on /proc.  The test sets the clock.
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
	int64_t now_ns;                         /* of both clocks */
	struct source source;
	struct text text;
	struct sample sample;                   /* the last sample read */
	struct why why;                         /* notice of the last reading; "": none */
	const struct collector *collector;
	void *state;
	struct setup setup;
	uint64_t reads;
	uint64_t forks_since_boot;              /* passed to the collector in its tick, as the next two */
	uint64_t group;
	bool brief;
	bool no_huge_pages;                     /* the memory collector found none */
};

void fixture_open(struct fixture *f, const char *machine);
void fixture_close(struct fixture *f);
/* Writes frame `frame` over the tree and advances the clock. */
void fixture_turn(struct fixture *f, int frame, double seconds);
/* Writes one file of the tree in place and makes its folders; with text NULL, removes it. */
void fixture_write(struct fixture *f, const char *path, const char *text);
/* Writes the files of a process of one thread that sleeps; start: ticks since boot. */
void fixture_process(struct fixture *f, pid_t pid, pid_t parent, const char *name, unsigned long start);

/* Starts a collector on the tree; returns the result of its start. */
int  fixture_start(struct fixture *f, const struct collector *collector);
/* Reads the collector once into f->sample. */
int  fixture_read(struct fixture *f);
/* Starts a collector and reads it; turns to a frame and reads it.  Fails unless both succeed. */
void fixture_begin(struct fixture *f, const struct collector *collector);
void fixture_advance(struct fixture *f, int frame, double seconds);

/* Fails unless |value - expected| <= 1e-9 * max(1, |expected|). */
void assert_near(double value, double expected);
void assert_none(double value);

#endif
