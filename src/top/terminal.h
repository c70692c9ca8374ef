/*
 * terminal.h - the terminal of the view: taken over, written to, and given back as it was on every way out, also by a
 * signal that ends the program.  There is one, as there is one of stdin and stdout.
 */
#ifndef RT_TERMINAL_H
#define RT_TERMINAL_H

#include "cells.h"

/* What has happened since the last call (terminal_wait). */
enum { TERMINAL_KEYS = 1, TERMINAL_SIZE = 2, TERMINAL_STOP = 4, TERMINAL_CONTINUED = 8, TERMINAL_DATA = 16 };

/*
 * Takes over stdin and stdout, which must be a terminal: keys come one by one, the view has a screen of its own, clicks
 * are reported.  -errno: call terminal_close as well.
 */
int  terminal_open(void) must_use;
void terminal_close(void);                      /* gives it back; does nothing if it is not taken over */
/* Gives it back, stops this process as ^Z does, and takes it over again when the process goes on. */
void terminal_suspend(void);
/* After TERMINAL_CONTINUED: takes it over again, as a shell has used it meanwhile. */
void terminal_resume(void);

void terminal_size(unsigned *ret_rows, unsigned *ret_columns);          /* 24 x 80 if it is unknown */
/* All of the bytes; waits for a slow terminal.  -errno, as -EIO if the terminal is gone. */
int  terminal_write(const char *bytes, size_t n) must_use;
/*
 * Waits for a key, a signal, data of data_fd (-1: none), or the time (0 or more).  A set of TERMINAL_...; 0: the time
 * is over.
 */
int  terminal_wait(int data_fd, int timeout_ms);
/* Bytes of keys; 0: the terminal is gone; -EAGAIN: none by now; -errno. */
ssize_t terminal_read(char *at, size_t room) must_use;

#endif
