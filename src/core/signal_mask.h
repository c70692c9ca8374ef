/*
 * signal_mask.h - the signals that a thread blocks, in the kernel's form: bit N - 1 is signal N.
 *
 * C libraries reserve real-time signals for themselves (glibc 32 and 33, musl 34 as well), and sigprocmask() neither
 * sets nor returns them.  A wrapper passes these on like others, and its command gets the mask that was inherited.
 */
#ifndef RT_SIGNAL_MASK_H
#define RT_SIGNAL_MASK_H

#include <stdint.h>

#define SIGNAL_BIT(signal) (UINT64_C(1) << ((signal) - 1))

/* All but the two that glibc sends to each thread: setuid() of a program with our library waits for our threads too. */
#define SIGNALS_OF_PROGRAMS (~(SIGNAL_BIT(32) | SIGNAL_BIT(33)))

/* Of the calling thread; returns the previous mask.  rt_sigprocmask(2) */
uint64_t signal_mask_set(uint64_t mask);
uint64_t signal_mask_block(uint64_t signals);           /* these as well */
uint64_t signal_mask_unblock(uint64_t signals);

/* A descriptor (close on exec, not blocking) that receives them, for the caller to close; or -errno.  signalfd4(2) */
int signal_mask_descriptor(uint64_t signals);

#endif
