/* exits_parse.c - messages about tasks that ended, as any bytes. */
#include "exits_parse.h"

#include <linux/taskstats.h>
#include <string.h>

enum { VERSION_WITH_PROCESS = 12 };             /* ac_tgid */

static size_t aligned(size_t len)
{
	return (len + 3) & ~(size_t)3;          /* messages and attributes */
}

struct attribute { uint16_t type; struct datagram_bytes value; };

static bool next_attribute(struct datagram_bytes *bytes, struct attribute *ret)
{
	struct nlattr a;

	if (bytes->len < sizeof a)
		return false;
	memcpy(&a, bytes->at, sizeof a);
	if (a.nla_len < sizeof a)
		return false;

	/* The last one may have been cut. */
	size_t len = size_min(a.nla_len, bytes->len), step = size_min(aligned(len), bytes->len);

	*ret = (struct attribute){ (uint16_t)(a.nla_type & NLA_TYPE_MASK), { bytes->at + sizeof a, len - sizeof a } };
	bytes->at += step;
	bytes->len -= step;
	return true;
}

/* The kernel appends fields to the structure and never moves one: its length says which there are. */
static int take_statistics(struct exit_message *ret, struct datagram_bytes bytes)
{
	struct taskstats s = { 0 };

	if (bytes.len < offsetof(struct taskstats, hiwater_rss) + sizeof s.hiwater_rss)
		return -EBADMSG;
	memcpy(&s, bytes.at, size_min(bytes.len, sizeof s));
	ret->kind = EXIT_TASK;
	ret->task = ret->process = (pid_t)s.ac_pid;
	if (s.version >= VERSION_WITH_PROCESS && s.ac_tgid > 0)
		ret->process = (pid_t)s.ac_tgid;
	ret->parent = (pid_t)s.ac_ppid;
	ret->peak_bytes = s.hiwater_rss <= UINT64_MAX / 1024 ? s.hiwater_rss * 1024 : 0;
	memcpy(ret->name, s.ac_comm, sizeof ret->name - 1);
	return s.ac_pid > 0 && ret->task > 0 && ret->process > 0 && ret->parent >= 0 ? 1 : -EBADMSG;
}

/* That of the task.  What a process with threads has besides, when it ends, holds no memory. */
static int take_task(struct exit_message *ret, struct datagram_bytes bytes)
{
	struct attribute outer, inner;

	while (next_attribute(&bytes, &outer))
		while (outer.type == TASKSTATS_TYPE_AGGR_PID && next_attribute(&outer.value, &inner))
			if (inner.type == TASKSTATS_TYPE_STATS)
				return take_statistics(ret, inner.value);
	return -EBADMSG;
}

static int take_family(struct exit_message *ret, struct datagram_bytes bytes)
{
	struct attribute a;

	while (next_attribute(&bytes, &a))
		if (a.type == CTRL_ATTR_FAMILY_ID && a.value.len >= sizeof ret->family) {
			memcpy(&ret->family, a.value.at, sizeof ret->family);
			ret->kind = EXIT_FAMILY;
			return ret->family > 0 ? 1 : -EBADMSG;
		}
	return -EBADMSG;
}

static int take_message(struct exit_message *ret, uint16_t type, uint16_t family, struct datagram_bytes bytes)
{
	struct genlmsghdr command;

	if (type == NLMSG_ERROR) {
		if (bytes.len < sizeof ret->error)
			return -EBADMSG;
		memcpy(&ret->error, bytes.at, sizeof ret->error);
		ret->kind = EXIT_ERROR;
		return 1;
	}
	ret->kind = EXIT_OTHER;
	if (type != GENL_ID_CTRL && (family == 0 || type != family))
		return 1;
	if (bytes.len < sizeof command)
		return -EBADMSG;
	memcpy(&command, bytes.at, sizeof command);
	bytes.at += GENL_HDRLEN;
	bytes.len -= GENL_HDRLEN;
	if (type == GENL_ID_CTRL)
		return command.cmd == CTRL_CMD_NEWFAMILY ? take_family(ret, bytes) : 1;
	return command.cmd == TASKSTATS_CMD_NEW ? take_task(ret, bytes) : 1;
}

int exit_next(struct datagram_bytes *bytes, uint16_t family, struct exit_message *ret)
{
	struct nlmsghdr h;
	int r = -EBADMSG;

	*ret = (struct exit_message){ 0 };
	if (bytes->len == 0)
		return 0;
	if (bytes->len >= sizeof h) {
		memcpy(&h, bytes->at, sizeof h);
		if (h.nlmsg_len >= sizeof h) {
			size_t len = size_min(h.nlmsg_len, bytes->len), step = size_min(aligned(len), bytes->len);

			r = take_message(ret, h.nlmsg_type, family,
					 (struct datagram_bytes){ bytes->at + sizeof h, len - sizeof h });
			bytes->at += step;
			bytes->len -= step;
		}
	}
	if (r < 0)
		bytes->len = 0;
	return r;
}

static struct exit_request request(uint16_t type, uint8_t command, uint16_t attribute, const char *value)
{
	size_t len = size_min(strlen(value), EXIT_CPUS_SIZE - 1) + 1;
	struct exit_request r = {
		.header = { .nlmsg_len = (uint32_t)(offsetof(struct exit_request, value) + aligned(len)),
			    .nlmsg_type = type, .nlmsg_flags = NLM_F_REQUEST },
		.command = { .cmd = command, .version = TASKSTATS_GENL_VERSION },
		.attribute = { .nla_len = (uint16_t)(sizeof r.attribute + len), .nla_type = attribute },
	};

	memcpy(r.value, value, len - 1);
	return r;
}

struct exit_request exit_request_family(void)
{
	return request(GENL_ID_CTRL, CTRL_CMD_GETFAMILY, CTRL_ATTR_FAMILY_NAME, TASKSTATS_GENL_NAME);
}

struct exit_request exit_request_listen(uint16_t family, bool listen, const char *cpus)
{
	return request(family, TASKSTATS_CMD_GET, listen ? TASKSTATS_CMD_ATTR_REGISTER_CPUMASK :
		       TASKSTATS_CMD_ATTR_DEREGISTER_CPUMASK, cpus);
}
