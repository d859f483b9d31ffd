/* SPDX-License-Identifier: Apache-2.0
 * broken.c - an MPI in which one process cannot send any more: LD_PRELOAD, with BROKEN=RANK:CALL, from that call of
 * MPI_Isend() on.  By MPI's profiling interface.
 */
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>

int MPI_Isend(const void *data, int count, MPI_Datatype type, int to, int tag, MPI_Comm comm, MPI_Request *request)
{
    static int calls;
    const char *text = getenv("BROKEN");
    int rank, broken, call;

    MPI_Comm_rank(comm, &rank);
    if (text && sscanf(text, "%d:%d", &broken, &call) == 2 && rank == broken && ++calls >= call)
        return MPI_ERR_OTHER;
    return PMPI_Isend(data, count, type, to, tag, comm, request);
}
