/* The nodes of a scan: their sums over observations, and by how much each improves the fit.
 *
 * A half of a warp takes a group of sixteen neighbouring M0 of one frequency (of circles, sixteen
 * frequencies), a thread one or two of such nodes, whose sums it holds in registers. Observations
 * come in chunks through shared memory: what each gives to sums, and its place for each frequency
 * of the block. Products are summed within a chunk and chunks among each other, so that sums in
 * single stay good to 1e-6 for a hundred thousand observations. A base of many columns is taken
 * in several passes, each of which computes x and y again: cheaper than keeping them.
 *
 * With a table and six columns, one observation of one node takes 34 instructions, 23 of them on
 * the multiply-add pipe, and eight cycles of shared memory, in which the four schedulers of a
 * multiprocessor issue 32: neither waits for the other. */
#ifndef EQUANT_BACKENDS_CUDA_SCAN_SCAN_KERNEL_CUH
#define EQUANT_BACKENDS_CUDA_SCAN_SCAN_KERNEL_CUH

#include "backends/cuda/scan/scan_source.cuh"
#include "backends/cuda/scan/scan_whiten.cuh"
#include "physics/scan_node.h"

#define SCAN_THREADS 512
/* Nodes of a thread: as many as share its loads of observations and fit its registers, beside what
 * noise remembers of each. */
#ifdef SCAN_HAS_NOISE
#define SCAN_NODES 1
#else
#define SCAN_NODES (REAL_IS_DOUBLE ? 1 : 2)
#endif
/* Groups that a block works on at once, its item. */
#define SCAN_ITEM (SCAN_THREADS / SCAN_GROUP * SCAN_NODES)
/* Observations that are in shared memory at once. */
#define SCAN_CHUNK 64

/* Shared memory of a block: rows and frequencies, the copy of a table, then rows of the noise, then
 * places. */
template <int COLUMNS> struct __align__(16) scan_shared
{
    scan_row<real, COLUMNS> rows[SCAN_CHUNK];
    double frequencies[SCAN_ITEM];
};

/* Bytes of a table; none for other kinds. */
static __host__ __device__ inline size_t scan_table_bytes(const scan_layer &layer)
{
    return layer.kind == SCAN_TABLE ? (size_t)layer.n_phases * layer.n_parts * sizeof(scan_record)
                                    : 0;
}

/* Sums of products at a run of observations. */
template <int COLUMNS> struct scan_products {
    scan_node_sums own;
    real qx[COLUMNS], qy[COLUMNS];

    __device__ void clear()
    {
        own = {0, 0, 0, 0, 0};
        for (int j = 0; j < COLUMNS; j++)
            qx[j] = qy[j] = 0;
    }
    template <bool FIRST> __device__ void add(const scan_row<real, COLUMNS> &row, real x, real y)
    {
        if (FIRST)
            scan_node_add(&own, x, y, row.residual);
        for (int j = 0; j < COLUMNS; j++) {
            qx[j] = lane_fma(row.base[j], x, qx[j]);
            qy[j] = lane_fma(row.base[j], y, qy[j]);
        }
    }
    __device__ void collect(const scan_products &chunk)
    {
        own.xx += chunk.own.xx;
        own.xy += chunk.own.xy;
        own.yy += chunk.own.yy;
        own.xr += chunk.own.xr;
        own.yr += chunk.own.yr;
        for (int j = 0; j < COLUMNS; j++) {
            qx[j] += chunk.qx[j];
            qy[j] += chunk.qy[j];
        }
    }
};

/* The layer that this block works on. */
template <scan_kind KIND> LANE_FUNCTION scan_layer scan_layer_of_block(const scan_problem &scan)
{
    __shared__ unsigned own;
    for (unsigned i = threadIdx.x; i < scan.n_layers; i += SCAN_THREADS) {
        const scan_layer &layer = scan.layers[i];
        if (layer.kind == KIND && blockIdx.x - layer.first_block < layer.n_blocks)
            own = i;
    }
    __syncthreads();
    return scan.layers[own];
}

/* The frequencies that the groups of an item belong to. */
struct scan_item {
    unsigned first_frequency, n_places;
};

template <class SOURCE>
LANE_FUNCTION scan_item scan_item_at(const scan_layer &layer, unsigned first_group)
{
    unsigned per_frequency = scan_groups_of_frequency(layer);
    unsigned last = min(first_group + SCAN_ITEM, layer.n_groups) - 1;
    scan_item item = {0, 1};
    if (SOURCE::SHARES_PLACE) {
        item.first_frequency = first_group / per_frequency;
        item.n_places = last / per_frequency - item.first_frequency + 1;
    }
    return item;
}

/* A node of this thread. */
struct scan_member {
    unsigned group, frequency, phase;
    bool exists;
};

/* Beyond the last there are copies of it, whose results are not written. */
template <class SOURCE>
LANE_FUNCTION scan_member scan_member_of(const scan_layer &layer, unsigned group)
{
    unsigned member = threadIdx.x % SCAN_GROUP, last = layer.n_groups - 1;
    scan_member node = {min(group, last), 0, 0, group <= last};
    if (SOURCE::SHARES_PLACE) {
        unsigned per_frequency = scan_groups_of_frequency(layer);
        node.frequency = node.group / per_frequency;
        node.phase = (node.group - node.frequency * per_frequency) * SCAN_GROUP + member;
    } else {
        unsigned number = node.group * SCAN_GROUP + member;
        unsigned n_frequencies = layer.n_bins * layer.n_frequencies;
        node.frequency = min(number, n_frequencies - 1);
        node.exists = node.exists && number < n_frequencies;
    }
    return node;
}

/* What a block has in shared memory for a chunk of observations. */
template <class SOURCE, int COLUMNS> struct scan_staged {
    scan_shared<COLUMNS> *shared;
    real *noise;
    typename SOURCE::place *places;
};

/* Brings the observations first ... first + n - 1 to shared memory. */
template <class SOURCE, int COLUMNS, class NOISE>
LANE_FUNCTION void scan_stage(const scan_problem &scan, const SOURCE &source, unsigned n_places,
                              const scan_row<real, COLUMNS> *rows, unsigned first, unsigned n,
                              const scan_staged<SOURCE, COLUMNS> &staged)
{
    scan_shared<COLUMNS> *shared = staged.shared;
    typename SOURCE::place *places = staged.places;
    if constexpr (NOISE::LENGTH > 0) {
        const real *noise = (const real *)scan.noise_rows + (size_t)first * NOISE::LENGTH;
        for (unsigned i = threadIdx.x; i < n * NOISE::LENGTH; i += SCAN_THREADS)
            staged.noise[i] = noise[i];
    }
    for (unsigned k = threadIdx.x; k < n; k += SCAN_THREADS)
        shared->rows[k] = rows[first + k];
    for (unsigned i = threadIdx.x; i < n * n_places; i += SCAN_THREADS) {
        unsigned k = i / n_places;
        places[i] = source.locate(scan.time[first + k], shared->frequencies[i - k * n_places]);
    }
}

/* Sums over all observations, for columns of the base of one pass; those of x, y and the residual
 * among themselves belong to the first. */
template <class SOURCE, int COLUMNS, class NOISE, bool FIRST>
LANE_FUNCTION void scan_pass(const scan_problem &scan, const SOURCE &source, unsigned n_places,
                             const scan_row<real, COLUMNS> *rows,
                             const typename SOURCE::node *nodes, const unsigned *own_place,
                             const scan_staged<SOURCE, COLUMNS> &staged,
                             scan_products<COLUMNS> *sums)
{
    const NOISE noise(scan, staged.noise);
    typename NOISE::state remembered[SCAN_NODES];
    for (int i = 0; i < SCAN_NODES; i++) {
        sums[i].clear();
        remembered[i].clear();
    }
    for (unsigned first = 0; first < scan.n_obs; first += SCAN_CHUNK) {
        unsigned n = min(scan.n_obs - first, (unsigned)SCAN_CHUNK);
        __syncthreads(); /* all are done with the chunk before */
        scan_stage<SOURCE, COLUMNS, NOISE>(scan, source, n_places, rows, first, n, staged);
        __syncthreads();
        scan_products<COLUMNS> chunk[SCAN_NODES];
        const typename SOURCE::place *here[SCAN_NODES];
        for (int i = 0; i < SCAN_NODES; i++) {
            chunk[i].clear();
            here[i] = staged.places + own_place[i];
        }
#pragma unroll 2
        for (unsigned k = 0; k < n; k++) {
            const scan_row<real, COLUMNS> row = staged.shared->rows[k];
            const typename NOISE::row noise_row = noise.row_at(first, k);
#pragma unroll
            for (int i = 0; i < SCAN_NODES; i++) {
                real X, Y;
                source.columns(*here[i], nodes[i], &X, &Y);
                here[i] += n_places;
                real x = row.root_weight * X, y = row.root_weight * Y;
                noise.whiten(noise_row, &remembered[i], &x, &y);
                chunk[i].template add<FIRST>(row, x, y);
            }
        }
        for (int i = 0; i < SCAN_NODES; i++)
            sums[i].collect(chunk[i]);
    }
}

/* What the first pass over the observations says of a node. */
LANE_FUNCTION scan_node_equations scan_equations_of(const scan_node_sums &sums)
{
    double xx = (double)sums.xx, yy = (double)sums.yy;
    return {xx, (double)sums.xy, yy, (double)sums.xr, (double)sums.yr, xx, yy};
}

/* What the columns of one pass explain already. */
template <int COLUMNS>
LANE_FUNCTION void scan_take_away(const scan_products<COLUMNS> &sums,
                                  scan_node_equations *equations)
{
    for (int j = 0; j < COLUMNS; j++)
        scan_node_project(equations, (double)sums.qx[j], (double)sums.qy[j]);
}

/* The better of two candidates; of equal ones the first. */
LANE_FUNCTION scan_candidate scan_better(scan_candidate a, scan_candidate b)
{
    bool second =
        b.improvement > a.improvement || (b.improvement == a.improvement && b.phase < a.phase);
    return second ? b : a;
}

/* Writes the best node of each group, or every circle. All threads of a warp must call it. */
template <class SOURCE>
LANE_FUNCTION void scan_write(const scan_problem &scan, const scan_layer &layer,
                              const scan_member &node, double improvement)
{
    scan_candidate best = {improvement, node.phase};
    scan_candidate *candidates = scan.candidates + layer.first_candidate;
    if constexpr (!SOURCE::SHARES_PLACE) {
        if (node.exists)
            candidates[node.frequency] = best;
    } else {
#pragma unroll
        for (int distance = SCAN_GROUP / 2; distance > 0; distance /= 2) {
            scan_candidate other;
            other.improvement = __shfl_xor_sync(0xffffffffu, best.improvement, distance);
            other.phase = __shfl_xor_sync(0xffffffffu, best.phase, distance);
            best = scan_better(best, other);
        }
        if (node.exists && threadIdx.x % SCAN_GROUP == 0)
            candidates[node.group] = best;
    }
}

/* All nodes of one item. */
template <class SOURCE, int COLUMNS, class NOISE>
LANE_FUNCTION void scan_nodes(const scan_problem &scan, const scan_layer &layer,
                              const SOURCE &source, unsigned first_group,
                              const scan_staged<SOURCE, COLUMNS> &staged)
{
    scan_item item = scan_item_at<SOURCE>(layer, first_group);
    scan_member members[SCAN_NODES];
    typename SOURCE::node nodes[SCAN_NODES];
    unsigned own_place[SCAN_NODES];
    for (int i = 0; i < SCAN_NODES; i++) {
        unsigned group = first_group + (i * SCAN_THREADS + threadIdx.x) / SCAN_GROUP;
        members[i] = scan_member_of<SOURCE>(layer, group);
        nodes[i] =
            source.node_of(scan_frequency(scan, layer, members[i].frequency), members[i].phase);
        own_place[i] = SOURCE::SHARES_PLACE ? members[i].frequency - item.first_frequency : 0;
    }
    for (unsigned i = threadIdx.x; i < item.n_places; i += SCAN_THREADS)
        staged.shared->frequencies[i] = scan_frequency(scan, layer, item.first_frequency + i);

    const scan_row<real, COLUMNS> *rows = (const scan_row<real, COLUMNS> *)scan.rows;
    scan_products<COLUMNS> sums[SCAN_NODES];
    scan_node_equations equations[SCAN_NODES];
    scan_pass<SOURCE, COLUMNS, NOISE, true>(scan, source, item.n_places, rows, nodes, own_place,
                                            staged, sums);
    for (int i = 0; i < SCAN_NODES; i++) {
        equations[i] = scan_equations_of(sums[i].own);
        scan_take_away(sums[i], &equations[i]);
    }
    if constexpr (COLUMNS == SCAN_COLUMNS_MANY)
        for (unsigned pass = 1; pass < scan.n_passes; pass++) {
            scan_pass<SOURCE, COLUMNS, NOISE, false>(scan, source, item.n_places,
                                                     rows + (size_t)pass * scan.n_obs, nodes,
                                                     own_place, staged, sums);
            for (int i = 0; i < SCAN_NODES; i++)
                scan_take_away(sums[i], &equations[i]);
        }
    for (int i = 0; i < SCAN_NODES; i++) {
        double share = lane_min(scan_node_improvement(&equations[i]), 1.0);
        scan_write<SOURCE>(scan, layer, members[i], share * scan.residual_square);
    }
}

template <class SOURCE, int COLUMNS, class NOISE>
__global__ void __launch_bounds__(SCAN_THREADS, 1)
    scan_kernel(const __grid_constant__ scan_problem scan)
{
    extern __shared__ __align__(16) unsigned char scan_memory[];
    const scan_layer layer = scan_layer_of_block<SOURCE::KIND>(scan);
    scan_shared<COLUMNS> *shared = (scan_shared<COLUMNS> *)scan_memory;
    unsigned char *table = (unsigned char *)(shared + 1);
    size_t n_bytes = scan_table_bytes(layer);
    real *noise = (real *)(table + n_bytes);
    typename SOURCE::place *places =
        (typename SOURCE::place *)(noise + (size_t)SCAN_CHUNK * NOISE::LENGTH);
    const uint4 *records = (const uint4 *)(scan.records + layer.first_record);
    for (unsigned i = threadIdx.x; i < n_bytes / sizeof *records; i += SCAN_THREADS)
        ((uint4 *)table)[i] = records[i];

    const SOURCE source(layer, table);
    unsigned first = (blockIdx.x - layer.first_block) * scan.items_per_block * SCAN_ITEM;
    for (unsigned i = 0; i < scan.items_per_block && first < layer.n_groups; i++) {
        scan_nodes<SOURCE, COLUMNS, NOISE>(scan, layer, source, first, {shared, noise, places});
        first += SCAN_ITEM;
    }
}

/* ---- from the host ------------------------------------------------------- */

/* Frequencies that the groups of an item belong to, at most. */
static unsigned scan_most_places(const scan_layer *layer)
{
    unsigned per_frequency = scan_groups_of_frequency(*layer);
    return layer->kind == SCAN_CIRCLES ? 1 : (SCAN_ITEM + per_frequency - 2) / per_frequency + 1;
}

static size_t scan_shared_bytes(const scan_layer *layer, size_t n_base, size_t noise_length)
{
    size_t own = n_base <= SCAN_COLUMNS_FEW ? sizeof(scan_shared<SCAN_COLUMNS_FEW>)
                                            : sizeof(scan_shared<SCAN_COLUMNS_MANY>);
    size_t place = sizeof(double); /* that of any source, at most */
#ifdef SCAN_HAS_NOISE
    own = sizeof(scan_shared<SCAN_COLUMNS_MANY>);
#endif
    return own + scan_table_bytes(*layer) + SCAN_CHUNK * noise_length * sizeof(real) +
           SCAN_CHUNK * scan_most_places(layer) * place;
}

/* The limit of shared memory belongs to the kernel and not to a launch: it is what the GPU has,
 * for all, so that scans on several threads do not lower each other's. */
static cudaError_t scan_launch_kernel(void (*kernel)(const scan_problem), const scan_problem *scan,
                                      unsigned n_blocks, size_t shared_bytes, cudaStream_t stream)
{
    cudaError_t error = cudaFuncSetAttribute(kernel, cudaFuncAttributeMaxDynamicSharedMemorySize,
                                             (int)scan->shared_most);
    if (error != cudaSuccess)
        return error;
    kernel<<<n_blocks, SCAN_THREADS, shared_bytes, stream>>>(*scan);
    return cudaGetLastError();
}

#ifdef SCAN_HAS_NOISE
template <class SOURCE>
static cudaError_t scan_launch_source(const scan_problem *scan, size_t, unsigned n_blocks,
                                      size_t shared_bytes, cudaStream_t stream)
{
    void (*kernel)(const scan_problem) = scan_kernel<SOURCE, SCAN_COLUMNS_MANY, scan_noise_any>;
#define SCAN_TAKE(singles, pairs, triples)                                                         \
    if (scan->noise_kind == SCAN_NOISE_NUMBER(singles, pairs, triples))                            \
        kernel = scan_kernel<SOURCE, SCAN_COLUMNS_MANY, scan_noise_few<singles, pairs, triples>>;
    SCAN_NOISE_SHAPES(SCAN_TAKE)
#undef SCAN_TAKE
    return scan_launch_kernel(kernel, scan, n_blocks, shared_bytes, stream);
}
#else
template <class SOURCE>
static cudaError_t scan_launch_source(const scan_problem *scan, size_t n_base, unsigned n_blocks,
                                      size_t shared_bytes, cudaStream_t stream)
{
    auto kernel = n_base <= SCAN_COLUMNS_FEW ? scan_kernel<SOURCE, SCAN_COLUMNS_FEW, scan_white>
                                             : scan_kernel<SOURCE, SCAN_COLUMNS_MANY, scan_white>;
    return scan_launch_kernel(kernel, scan, n_blocks, shared_bytes, stream);
}
#endif

static cudaError_t scan_launch(scan_kind kind, const scan_problem *scan, size_t n_base,
                               unsigned n_blocks, size_t shared_bytes, cudaStream_t stream)
{
    switch (kind) {
    case SCAN_CIRCLES:
        return scan_launch_source<scan_circles>(scan, n_base, n_blocks, shared_bytes, stream);
#if !REAL_IS_DOUBLE
    case SCAN_TABLE:
        return scan_launch_source<scan_tabulated>(scan, n_base, n_blocks, shared_bytes, stream);
#endif
    default:
        return scan_launch_source<scan_orbits>(scan, n_base, n_blocks, shared_bytes, stream);
    }
}

#endif
