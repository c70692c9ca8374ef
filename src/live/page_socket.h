/* page_socket.h - the socket at which a page is served. */
#ifndef RT_PAGE_SOCKET_H
#define RT_PAGE_SOCKET_H

#include <arpa/inet.h>

#include "../core/why.h"

struct page_socket { int fd; char address[INET6_ADDRSTRLEN]; uint16_t port; };

/* address: numeric.  port: 0 is any that is free.  -errno with a sentence.  The caller closes the descriptor. */
int  page_socket_open(struct page_socket *ret, const char *address, uint16_t port, struct why *why) must_use;
/* The address of our end of a connection; "": unknown. */
void page_socket_own(char ret[INET6_ADDRSTRLEN], int fd);

#endif
