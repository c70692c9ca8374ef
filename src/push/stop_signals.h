/* stop_signals.h - SIGTERM and SIGINT as something to wait for: they end a sender between two requests. */
#ifndef RT_STOP_SIGNALS_H
#define RT_STOP_SIGNALS_H

#include "../core/base.h"

/* Blocks both.  A descriptor that is readable as soon as one has come; -1: there is none, and they stay blocked. */
int  stop_signals_open(void);
/* Forgets what came so far. */
void stop_signals_forget(int fd);

#endif
