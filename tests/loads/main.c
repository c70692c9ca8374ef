/* main.c - one load of src/verify as a program of its own; LOAD is its name. */
#include "../../src/verify/load.h"

int main(int argc, char **argv)
{
	return LOAD(argc, argv);
}
