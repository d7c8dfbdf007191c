#include "backends/cuda/device_pool.h"

#include <cuda_runtime_api.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>

#include "backends/cuda/failure.h"
#include "platform/system_threads.h"

/* Pieces that were given back and wait for the next who wants as much: to make a piece takes a GPU
 * some tenths of a millisecond and stops all of its streams, and CUDA's own pool takes 12 ms to
 * begin with. Sizes are rounded up, so that pieces fit the next star as well. */
#define KEPT_BYTES ((size_t)2 << 30)
#define LEAST_BYTES ((size_t)1 << 16)
#define MOST_WASTE 4

typedef struct piece {
    struct piece *next;
    void *memory;
    size_t n_bytes;
    int device;
} piece;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static piece *unused, *taken; /* lists */
static size_t unused_bytes;

/* The next power of two or three quarters of it. */
static size_t rounded(size_t n_bytes)
{
    size_t size = LEAST_BYTES;
    while (size < n_bytes)
        size *= 2;
    return size > LEAST_BYTES && size / 4 * 3 >= n_bytes ? size / 4 * 3 : size;
}

/* Takes from the unused pieces the smallest that has room, unless most of it would be wasted. */
static piece *unlink_unused(int device, size_t n_bytes)
{
    piece **best = NULL;
    for (piece **place = &unused; *place; place = &(*place)->next) {
        const piece *one = *place;
        if (one->device == device && one->n_bytes >= n_bytes &&
            one->n_bytes / MOST_WASTE <= n_bytes && (!best || one->n_bytes < (*best)->n_bytes))
            best = place;
    }
    piece *found = best ? *best : NULL;
    if (found) {
        *best = found->next;
        unused_bytes -= found->n_bytes;
    }
    return found;
}

/* Takes the piece at an address from those that are in use. */
static piece *unlink_taken(const void *memory)
{
    piece **place = &taken;
    while (*place && (*place)->memory != memory)
        place = &(*place)->next;
    piece *found = *place;
    if (found)
        *place = found->next;
    return found;
}

static void link_piece(piece **list, piece *one)
{
    one->next = *list;
    *list = one;
}

/* Gives all unused pieces of a GPU back to it. */
static void release_unused(int device)
{
    pthread_mutex_lock(&lock);
    for (piece **place = &unused; *place;) {
        piece *one = *place;
        if (one->device != device) {
            place = &one->next;
            continue;
        }
        *place = one->next;
        unused_bytes -= one->n_bytes;
        cudaFree(one->memory);
        free(one);
    }
    pthread_mutex_unlock(&lock);
}

static equant_status make_piece(int device, size_t n_bytes, piece **made)
{
    piece *one = malloc(sizeof *one);
    if (!one)
        return failure_host_memory();
    *one = (piece){.n_bytes = n_bytes, .device = device};
    cudaError_t error = cudaMalloc(&one->memory, n_bytes);
    if (error == cudaErrorMemoryAllocation) {
        cudaGetLastError();
        release_unused(device);
        error = cudaMalloc(&one->memory, n_bytes);
    }
    if (error != cudaSuccess) {
        free(one);
        return failure_report(error, "memory for a scan");
    }
    *made = one;
    return EQUANT_SUCCESS;
}

equant_status device_pool_take(int device, size_t n_bytes, void **memory)
{
    size_t size = rounded(n_bytes);
    pthread_mutex_lock(&lock);
    piece *one = unlink_unused(device, size);
    pthread_mutex_unlock(&lock);
    equant_status status = one ? EQUANT_SUCCESS : make_piece(device, size, &one);
    if (status != EQUANT_SUCCESS)
        return status;
    pthread_mutex_lock(&lock);
    link_piece(&taken, one);
    pthread_mutex_unlock(&lock);
    *memory = one->memory;
    return EQUANT_SUCCESS;
}

void device_pool_give(void *memory)
{
    if (memory == NULL)
        return;
    pthread_mutex_lock(&lock);
    piece *one = unlink_taken(memory);
    bool is_kept = one && unused_bytes + one->n_bytes <= KEPT_BYTES;
    if (is_kept) {
        unused_bytes += one->n_bytes;
        link_piece(&unused, one);
    }
    pthread_mutex_unlock(&lock);
    if (one && !is_kept) {
        cudaFree(one->memory);
        free(one);
    }
}
