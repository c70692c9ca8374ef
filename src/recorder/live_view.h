/*
 * live_view.h - on a terminal, a run without a command is shown by `resource-tracker top`, not as lines of samples.
 *
 * The process that was started becomes the view, since the shell waits for it and gives it the terminal.  Its child
 * records: into a feed for the view, and into whatever else was asked for.  SIGTERM from the view ends the recording;
 * so does the end of the view, however it comes.
 */
#ifndef RT_LIVE_VIEW_H
#define RT_LIVE_VIEW_H

#include "../options/options.h"

/* Whether a person sees it: no command, no place for samples asked for, and a terminal in the foreground. */
bool live_view_wanted(const struct options *o);

/*
 * Forks, while there is no thread.  Returns in the recorder: o->view is set, and a feed was added.  If there can be no
 * view, one sentence says why, `o` is as it was, and samples are written instead.
 */
void live_view_begin(struct options *o);

/* Returns when the view has given the terminal back; at once if there is none. */
void live_view_wait(const struct options *o);

#endif
