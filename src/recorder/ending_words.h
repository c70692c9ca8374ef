/* ending_words.h - what signals and exit codes usually mean, in plain words. */
#ifndef RT_ENDING_WORDS_H
#define RT_ENDING_WORDS_H

/* NULL where nothing is to be said about it. */
const char *ending_signal_meaning(int signal);
const char *ending_code_meaning(int code);

#endif
