/* looks.h - what the terminal of the view can show. */
#ifndef RT_LOOKS_H
#define RT_LOOKS_H

#include "graph.h"

struct looks { enum signs signs; bool utf8; };

#endif
