/* ending_words.h - usual meanings of signals and exit codes, in plain words. */
#ifndef RT_ENDING_WORDS_H
#define RT_ENDING_WORDS_H

/* Static strings; NULL: no usual meaning, or a signal that ends no program. */
const char *ending_signal_meaning(int signal);
const char *ending_code_meaning(int code);

#endif
