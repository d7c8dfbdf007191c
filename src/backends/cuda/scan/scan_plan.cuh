/* What a scan has on a GPU as long as it lives: layers, observations and tables, laid out once for
 * all of its pieces. */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_SCAN_PLAN_CUH
#define EQUANT_BACKENDS_CUDA_SCAN_SCAN_PLAN_CUH

#include "backends/cuda/scan/scan_layout.cuh"

/* Where the arrays that all pieces share are in one piece of device memory. */
struct scan_places {
    size_t time, rows, noise_rows, bins, layers, records, n_bytes;
};

/* Where those of a chunk are in another. */
struct scan_chunk_places {
    size_t candidates, best, circular, n_bytes;
};

struct scan_plan {
    int device;
    const scan_kernels *kernels;
    int n_processors, shared_most;
    size_t n_obs, n_base, n_layers;
    double first_frequency_per_day, bin_width_per_day;
    unsigned *bins; /* [n_wanted] that are wanted, in their order; NULL: all */
    size_t n_wanted;
    backend_scan_layer *given; /* [n_layers], as asked for                 */
    scan_layer *layers;        /* [n_layers], as kernels read them; host memory */
    size_t n_columns;          /* of the base in a pass                    */
    size_t n_passes, row_bytes;
    scan_noise_shape noise;         /* no states: white     */
    int noise_kind;                 /* SCAN_NOISE_NUMBER, or SCAN_NOISE_ANY */
    size_t noise_length;            /* of a row, padded */
    size_t noise_staged;            /* of it in shared memory */
    size_t n_records, most_records; /* of all tables, of the largest */
    size_t candidates_per_bin;
    double residual_square;
    scan_places at;
    unsigned char *shared; /* device memory for all pieces */
    size_t n_chunk;        /* bins that there is room for  */
    scan_chunk_places chunk_at;
    unsigned char *chunk; /* device memory, grown by the first piece that needs it */
};

/* As the slots `create` and `destroy` of scans want them. */
equant_status scan_plan_create(const backend_engine *engine, const backend_scan *scan,
                               void **state);
void scan_plan_destroy(void *state);

/* The kernels' view of bins from `first` on, or, where some are wanted, from that one of these on.
 */
scan_problem scan_plan_problem(const scan_plan *plan, size_t first);

/* Brings the layers to the GPU as they are now. */
equant_status scan_plan_copy_layers(const scan_plan *plan, cudaStream_t stream);

/* The place of an array behind those before it in one piece of memory, which grows by it. */
static inline size_t scan_place(size_t *end, size_t count, size_t size)
{
    size_t at = (*end + 255) / 256 * 256;
    *end = at + count * size;
    return at;
}

#endif
