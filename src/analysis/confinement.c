/* confinement.c - Landlock by system call numbers: libc has no wrappers, and older headers lack it. */
#include "confinement.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/syscall.h>

#include "../core/output_file.h"
#include "../core/source.h"

/* include/uapi/linux/landlock.h; the numbers are the same on all architectures. */
enum { CREATE_RULESET = 444, ADD_RULE = 445, RESTRICT_SELF = 446, GET_VERSION = 1, RULE_PATH_BENEATH = 1 };

#define BIT(n) (UINT64_C(1) << (n))
#define EXECUTE      BIT(0)
#define WRITE_FILE   BIT(1)
#define READ_FILE    BIT(2)
#define READ_FOLDER  BIT(3)
#define REMOVE_FILE  BIT(5)
#define MAKE_REGULAR BIT(8)
#define TRUNCATE     BIT(14)                    /* from version 3 on */

#define ALL_TCP      (BIT(0) | BIT(1))          /* bind, connect */
#define ALL_SCOPES   (BIT(0) | BIT(1))          /* abstract sockets, signals */

struct ruleset { uint64_t files, network, scopes; };
struct beneath { uint64_t allowed; int32_t folder; } __attribute__((packed));

/* By version of Landlock: the number of file rights, and the size of the structure that it reads. */
static const struct version { unsigned rights; bool network, scopes; size_t size; } versions[] = {
	{ 13, false, false, 8 }, { 14, false, false, 8 }, { 15, false, false, 8 }, { 15, true, false, 16 },
	{ 16, true, false, 16 }, { 16, true, true, 24 },
};

struct rules { int fd; uint64_t rights; };      /* rights: those that are handled */

static void allow_fd(const struct rules *r, int fd, uint64_t rights)
{
	struct stat status;
	struct beneath rule = { rights & r->rights, fd };

	if (fd < 0 || fstat(fd, &status) < 0)
		return;
	if (!S_ISDIR(status.st_mode))
		rule.allowed &= EXECUTE | WRITE_FILE | READ_FILE | TRUNCATE;
	if (rule.allowed != 0)
		(void)syscall(ADD_RULE, r->fd, RULE_PATH_BENEATH, &rule, 0);
}

/* A path that does not exist needs no rule. */
static void allow(const struct rules *r, const char *path, uint64_t rights)
{
	auto_close int fd = open(path, O_PATH | O_CLOEXEC);

	allow_fd(r, fd, rights);
}

/* A run is a file; for a folder that is given instead, only its type can be read. */
static void allow_input(const struct rules *r, const char *path)
{
	struct stat status;
	bool folder = stat(path, &status) == 0 && S_ISDIR(status.st_mode);

	allow(r, path, folder ? READ_FOLDER : READ_FILE);
}

/* A new file replaces the old one in its folder; other than a regular file, the file itself is written. */
static void allow_output(const struct rules *r, const char *path)
{
	auto_free char *real = realpath(path, NULL);
	auto_free char *folder = strdup(real ? real : path);
	char *slash = folder ? strrchr(folder, '/') : NULL;

	if (!folder)
		return;
	allow(r, folder, WRITE_FILE);
	if (slash)
		slash[slash == folder] = '\0';
	/* SQLite reads what it wrote, and brings its folder to the disk. */
	allow(r, slash ? folder : ".", READ_FILE | READ_FOLDER | WRITE_FILE | TRUNCATE | MAKE_REGULAR | REMOVE_FILE);
}

/* fontconfig: its configuration, fonts and caches. */
static void allow_fonts(const struct rules *r)
{
	static const char *const machine[] = { "/etc/fonts", "/usr", "/lib", "/lib64", "/var/cache/fontconfig" };
	static const char *const home[] = {
		".fonts", ".fonts.conf", ".config/fontconfig", ".local/share/fonts", ".cache/fontconfig",
	};
	const char *of_user = getenv("HOME");

	for (size_t i = 0; i < countof(machine); i++)
		allow(r, machine[i], READ_FILE | READ_FOLDER);
	for (size_t i = 0; of_user && i < countof(home); i++) {
		auto_free char *path = NULL;

		if (asprintf(&path, "%s/%s", of_user, home[i]) < 0)
			path = NULL;
		else
			allow(r, path, READ_FILE | READ_FOLDER);
	}
}

/* Local time, random numbers (SQLite), and whether the recorder of a run still lives. */
static void allow_what_all_need(const struct rules *r)
{
	static const char *const files[] = { "/etc/localtime", "/usr/share/zoneinfo", "/dev/urandom" };
	struct source machine;

	for (size_t i = 0; i < countof(files); i++)
		allow(r, files[i], READ_FILE);
	if (source_open(&machine, "/", NULL) == 0) {
		allow_fd(r, machine.proc, READ_FILE | READ_FOLDER);
		source_close(&machine);
	}
}

bool confine(const struct confinement *c)
{
	long version = syscall(CREATE_RULESET, NULL, 0, GET_VERSION);

	if (version < 1)
		return false;

	const struct version *v = &versions[size_min((size_t)version, countof(versions)) - 1];
	struct ruleset all = { BIT(v->rights) - 1, v->network ? ALL_TCP : 0, v->scopes ? ALL_SCOPES : 0 };
	auto_close int fd = (int)syscall(CREATE_RULESET, &all, v->size, 0);
	struct rules r = { fd, all.files };

	if (fd < 0)
		return false;
	allow_what_all_need(&r);
	for (size_t i = 0; i < c->n_inputs; i++)
		allow_input(&r, c->inputs[i]);
	if (c->place && *c->place)
		allow(&r, c->place, READ_FILE | READ_FOLDER);
	if (c->output && output_file_descriptor(c->output) < 0)
		allow_output(&r, c->output);
	if (c->temporary)
		allow(&r, c->temporary, READ_FILE | WRITE_FILE | TRUNCATE | MAKE_REGULAR | REMOVE_FILE);
	if (c->fonts)
		allow_fonts(&r);
	return prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 && syscall(RESTRICT_SELF, fd, 0) == 0;
}
