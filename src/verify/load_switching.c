/*
 * load_switching.c - context switches: processes and threads that sleep again and again.
 *
 *   --long N                     so many processes at a time, of two threads each, that
 *     --times K --gap MS         sleep K times for MS milliseconds; one thread ends halfway
 *   --short N                    then so many one after another that sleep 5 times for 0.2 ms
 *
 * All are waited for; the truth, `switches`, is the sum of voluntary and involuntary ones, by getrusage.
 */
#include <errno.h>
#include <pthread.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "load.h"

enum { SHORT_TIMES = 5 };

struct naps { unsigned times; double seconds; };

static void *take(void *argument)
{
	const struct naps *n = argument;

	for (unsigned i = 0; i < n->times; i++)
		load_sleep(n->seconds);
	return NULL;
}

static pid_t start(struct naps naps, bool threaded)
{
	struct naps half = { naps.times / 2, naps.seconds };
	pthread_t thread;
	pid_t pid = fork();

	if (pid < 0)
		load_fail("fork: %s", strerror(errno));
	if (pid > 0)
		return pid;
	load_limit(false);
	if (threaded && pthread_create(&thread, NULL, take, &half))
		load_fail("pthread_create failed");
	(void)take(&naps);
	_exit(0);
}

int load_switching(int argc, char **argv)
{
	enum { LONG, TIMES, GAP, SHORT, TRUTH, OPTIONS };
	struct load_option o[OPTIONS] = {
		[LONG] = { "long", "4", false }, [TIMES] = { "times", "250", false }, [GAP] = { "gap", "5", false },
		[SHORT] = { "short", "100", false }, [TRUTH] = { "truth", NULL, false },
	};

	load_limit(false);
	load_options(o, OPTIONS, argc, argv);

	struct naps many = { (unsigned)load_number(o[TIMES].value), load_number(o[GAP].value) / 1e3 };
	struct naps few = { SHORT_TIMES, 0.0002 };
	unsigned longs = (unsigned)load_number(o[LONG].value), shorts = (unsigned)load_number(o[SHORT].value);

	for (unsigned i = 0; i < longs; i++)
		(void)start(many, true);
	while (longs-- > 0)
		(void)wait(NULL);
	for (unsigned i = 0; i < shorts; i++)
		(void)waitpid(start(few, false), NULL, 0);
	load_emit(o[TRUTH].value, "{\"load\": \"switching\", \"switches\": %.0f}", load_switches());
	return 0;
}
