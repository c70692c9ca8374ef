/* accounts.c - the accounts of a tree: their roots and their totals. */
#include "accounting_state.h"

#include <stdio.h>

int accounts_open(struct accounts **ret, struct tracked *t)
{
	struct accounts *a = calloc(1, sizeof *a);

	if (!a)
		return -ENOMEM;
	a->tracked = t;
	a->programs.n = 1;
	a->programs.at = calloc(PROGRAMS, sizeof *a->programs.at);
	a->branches.n = BRANCHES_FIRST;
	a->branches.at = calloc(BRANCHES, sizeof *a->branches.at);
	if (!a->programs.at || !a->branches.at) {
		accounts_close(a);
		return -ENOMEM;
	}
	*ret = a;
	return 0;
}

void accounts_close(struct accounts *a)
{
	if (!a)
		return;
	free(a->programs.at);
	free(a->branches.at);
	free(a->losses);
	free(a);
}

void accounts_add_root(struct accounts *a, pid_t pid, uint64_t start_ticks, const char *comm)
{
	struct root *root = &a->root[a->n_roots++];

	root->pid = pid;
	root->start_ticks = start_ticks;
	(void)snprintf(root->comm, sizeof root->comm, "%s", comm);
}

void accounts_name_root(struct accounts *a, pid_t pid, const char *comm)
{
	struct root *root = &a->root[0];

	if (pid == root->pid && comm[0])
		(void)snprintf(root->comm, sizeof root->comm, "%s", comm);
}

bool accounts_has_root(const struct accounts *a, pid_t pid)
{
	for (size_t i = 0; i < a->n_roots; i++)
		if (a->root[i].pid == pid)
			return true;
	return false;
}

uint64_t accounts_sum(const struct accounts *a, enum counter k)
{
	uint64_t sum = 0;

	for (size_t i = 0; i < a->n_roots; i++)
		sum += a->root[i].live[k] + a->root[i].ended[k] - a->root[i].held[k];
	return sum;
}

int64_t accounts_level(const struct accounts *a, enum level k)
{
	int64_t sum = 0;

	for (size_t i = 0; i < a->n_roots; i++)
		sum += a->root[i].level[k];
	return sum;
}

bool accounts_ever(const struct accounts *a, enum level has)
{
	return a->ever[has];
}

struct accounts_cpu accounts_cpu(const struct accounts *a)
{
	struct accounts_cpu cpu = {
		.ledger_ns = a->reported[CPU_NS], .user_ns = a->reported[USER_NS], .system_ns = a->reported[SYSTEM_NS],
		.slack_ns = 2 * a->tracked->ns_per_tick * a->tracked->members.waited.taken,
		.visible_ns = a->visible_ns, .unseen_ns = a->unseen_ns, .unread_ns = a->unread_ns,
	};

	for (size_t i = 0; i < a->n_roots; i++)
		cpu.slack_ns += a->root[i].held[CPU_NS];
	return cpu;
}
