/* solver.c - an MPI program: each rank uses 0.2 s of CPU time; rank 1 exits with the argument. */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <time.h>

int main(int argc, char **argv)
{
	int rank, size, sum;

	MPI_Init(&argc, &argv);
	MPI_Comm_rank(MPI_COMM_WORLD, &rank);
	MPI_Comm_size(MPI_COMM_WORLD, &size);
	while (clock() < CLOCKS_PER_SEC / 5)
		;
	MPI_Allreduce(&rank, &sum, 1, MPI_INT, MPI_SUM, MPI_COMM_WORLD);
	if (rank == 0)
		printf("%d ranks, sum %d\n", size, sum);
	MPI_Finalize();
	return argc > 1 && rank == 1 ? atoi(argv[1]) : 0;
}
