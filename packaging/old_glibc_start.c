/*
 * old_glibc_start.c - lets a program that is linked with a glibc of 2.34 or later start with one as old as 2.17.
 *
 * Until 2.33 each program brought a function that ran its constructors, and handed it to __libc_start_main.  Since 2.34 the C
 * library runs them, under a new version of that name, and programs hand over NULL.  Here the old version is called, with
 * such a function; a newer C library takes both.  See glibc's csu/libc-start.c.
 */
#include <stddef.h>

#if defined(__x86_64__)
__asm__(".symver start_before, __libc_start_main@GLIBC_2.2.5");
#elif defined(__aarch64__)
__asm__(".symver start_before, __libc_start_main@GLIBC_2.17");
#endif

typedef int main_function(int, char **, char **);
typedef void constructor(int, char **, char **);

int start_before(main_function *run, int count, char **words, constructor *construct, void (*destroy)(void),
                 void (*end_of_loader)(void), void *stack);
int __wrap___libc_start_main(main_function *run, int count, char **words, constructor *none, void (*destroy)(void),
                             void (*end_of_loader)(void), void *stack);

/* The linker's names of a program's own list. */
extern constructor *__init_array_start[], *__init_array_end[];

static void construct(int count, char **words, char **environment)
{
	for (constructor **each = __init_array_start; each < __init_array_end; each++)
		(*each)(count, words, environment);
}

int __wrap___libc_start_main(main_function *run, int count, char **words, constructor *none, void (*destroy)(void),
                             void (*end_of_loader)(void), void *stack)
{
	(void)none;
	return start_before(run, count, words, construct, destroy, end_of_loader, stack);
}
