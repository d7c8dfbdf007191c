/* Proposals and what becomes of them. A few neighbouring threads share a row: coordinates of a
 * guided move, planets and other columns of a parameter set are dealt out among them. Whatever is
 * added up over threads is added in an order that the sizes alone decide. */
#include "backends/cuda/walkers/walkers.h"
#include "statistics/coordinate_draw.h"

#define PROPOSE_LANES 8 /* threads of a row */
#define PROPOSE_THREADS 64
#define PROPOSE_ROWS (PROPOSE_THREADS / PROPOSE_LANES)
#define PROPOSE_SHARED_BYTES 40960
#define ALL_LANES 0xffffffffu

static size_t n_half_rows(const ensemble_shape &shape)
{
    return shape.n_temperatures * shape.n_populations * (shape.n_walkers / 2);
}

static unsigned n_blocks_of(size_t n_rows)
{
    return (unsigned)((n_rows + PROPOSE_ROWS - 1) / PROPOSE_ROWS);
}

/* From a row in shared memory to the next: an odd number, so that rows lie in different banks. */
static __device__ __host__ size_t propose_stride(size_t d)
{
    return d | 1;
}

static __device__ size_t propose_row()
{
    return (size_t)blockIdx.x * PROPOSE_ROWS + threadIdx.x / PROPOSE_LANES;
}

static __device__ unsigned propose_lane()
{
    return threadIdx.x % PROPOSE_LANES;
}

/* What the threads of a row have, added up; all get the sum. Warps do it together. */
static __device__ double propose_add_up(double own)
{
#pragma unroll
    for (unsigned distance = PROPOSE_LANES / 2; distance > 0; distance /= 2)
        own += __shfl_xor_sync(ALL_LANES, own, distance);
    return own;
}

/* ---- guided moves -------------------------------------------------------------------- */

/* |y|^2 as ensemble_moves_whiten has it: what is known of y is taken from all behind it. */
static __device__ double propose_whiten(unsigned d, const unsigned char *is_angle,
                                        const ensemble_moves_guide &guide, const double *x,
                                        double *left)
{
    double square = 0.0;
    for (unsigned i = propose_lane(); i < d; i += PROPOSE_LANES)
        left[i] = ensemble_moves_between(is_angle[i], guide.centre[i], x[i]);
    __syncwarp();
    for (unsigned j = 0; j < d; j++) {
        const double y = left[j] / guide.factor[j * (j + 1) / 2 + j];
        square += y * y;
        const unsigned behind =
            j + 1 + (propose_lane() + PROPOSE_LANES - (j + 1) % PROPOSE_LANES) % PROPOSE_LANES;
        for (unsigned i = behind; i < d; i += PROPOSE_LANES)
            left[i] -= guide.factor[i * (i + 1) / 2 + j] * y;
        __syncwarp();
    }
    return square;
}

/* Draws y* and returns its square. */
static __device__ double propose_draw(const ensemble &rows, uint64_t step, size_t walker, double *y)
{
    const unsigned d = (unsigned)rows.shape.n_coordinates;
    const double spread = ensemble_draw_spread(&rows, step, walker);
    double square = 0.0;
    for (unsigned j = 2 * propose_lane(); j < d; j += 2 * PROPOSE_LANES) {
        random_uniforms u =
            ensemble_draw_uniforms(&rows, step, walker, ENSEMBLE_DRAW_NORMALS + j / 2);
        for (unsigned k = j; k < j + 2 && k < d; k++) {
            y[k] = spread * random_normal_quantile(u.half[k - j]);
            square += y[k] * y[k];
        }
    }
    __syncwarp();
    return propose_add_up(square);
}

/* Writes x* of y*, if anybody wants it; -INFINITY where that is not possible, as in
 * ensemble_moves_colour. */
static __device__ double propose_colour(unsigned d, const unsigned char *is_angle,
                                        const ensemble_moves_guide &guide, const double *y,
                                        double *proposed)
{
    double log_factor = 0.0;
    for (unsigned i = propose_lane(); i < d; i += PROPOSE_LANES) {
        const double *row = guide.factor + i * (i + 1) / 2;
        double away = 0.0;
#pragma unroll 4
        for (unsigned j = 0; j <= i; j++)
            away += row[j] * y[j];
        if (is_angle[i] && fabs(away) >= PI)
            log_factor = -INFINITY;
        const double x = guide.centre[i] + away;
        if (proposed)
            proposed[i] = is_angle[i] ? ensemble_moves_wrap(x) : x;
    }
    return propose_add_up(log_factor);
}

/* What ensemble_propose_guided does, by the threads of a row; y is theirs in shared memory. */
static __device__ double propose_guided(const ensemble &rows, uint64_t step,
                                        const ensemble_moving_row &at, double *y, double *proposed)
{
    const unsigned d = (unsigned)rows.shape.n_coordinates;
    const ensemble_moves_guide guide = {rows.centres + at.group * d,
                                        rows.factors + at.group * (d * (d + 1) / 2)};
    const double square =
        propose_whiten(d, rows.is_angle, guide, rows.coordinates + at.walker * d, y);
    const double proposed_square = propose_draw(rows, step, at.walker, y);
    const double log_factor = ensemble_moves_guided_factor(d, square, proposed_square) +
                              propose_colour(d, rows.is_angle, guide, y, proposed);
    return rows.has_guide[at.group] ? log_factor : -INFINITY;
}

/* ---- parameters ---------------------------------------------------------------------- */

/* A parameter in multiples of the one before it must wait for that. */
static __device__ bool propose_waits(const coordinate_map &map, size_t column)
{
    return map.density[column].kind == PRIOR_TURNS;
}

static __device__ double propose_columns(const walkers_arrays &walkers, const double *x,
                                         double *parameters, bool that_wait)
{
    const coordinate_map &map = walkers.map;
    double log_density = 0.0;
    for (size_t column = parameter_layout_end(&map.layout, TERM_ORBITS) + propose_lane();
         column < map.layout.n_parameters; column += PROPOSE_LANES) {
        const double *own = x + walkers.coordinate_of[column];
        if (propose_waits(map, column) == that_wait)
            log_density += coordinate_map_column(&map, column, &own, parameters);
    }
    return log_density;
}

/* What coordinate_map_prepare does, by the threads of a row. */
static __device__ double propose_prepare(const walkers_arrays &walkers, bool is_wanted,
                                         const double *x, double *parameters)
{
    const coordinate_map &map = walkers.map;
    const bool may_wait = map.layout.noise.n > 0;
    double log_density = 0.0;
    for (size_t p = propose_lane(); is_wanted && p < map.layout.n_planets; p += PROPOSE_LANES) {
        const size_t column = parameter_layout_orbit(&map.layout, p);
        const double *own = x + walkers.coordinate_of[column];
        log_density += coordinate_map_planet(&map, p, &own, parameters + column);
    }
    if (is_wanted)
        log_density += propose_columns(walkers, x, parameters, false);
    __syncwarp();
    if (is_wanted && may_wait)
        log_density += propose_columns(walkers, x, parameters, true);
    log_density = propose_add_up(log_density);
    if (!is_wanted || isfinite(log_density))
        return is_wanted ? log_density : -INFINITY;
    for (size_t column = propose_lane(); column < map.layout.n_parameters; column += PROPOSE_LANES)
        parameters[column] = NAN;
    return -INFINITY;
}

/* ---- kernels ------------------------------------------------------------------------- */

/* Moves without a guide, and draws from the prior, are short: the first thread of a row makes
 * them. Warps stay together; threads behind the last row do what the last one does, for nobody. */
static __global__ void __launch_bounds__(PROPOSE_THREADS)
    propose_kernel(const __grid_constant__ walkers_arrays walkers, uint64_t step, size_t half,
                   ensemble_move move, size_t n_rows, bool has_room)
{
    extern __shared__ double shared[];
    const ensemble &rows = walkers.rows;
    const size_t d = rows.shape.n_coordinates;
    const bool exists = propose_row() < n_rows, by_all = move == ENSEMBLE_MOVE_GUIDED && has_room;
    const size_t row = exists ? propose_row() : n_rows - 1;
    const ensemble_moving_row at = ensemble_locate(&rows, half, row);
    const bool is_drawn = ensemble_is_prior(&rows, at.temperature);
    double *proposed = rows.proposed + row * d, log_factor = -INFINITY;
    if (by_all)
        log_factor =
            propose_guided(rows, step, at, shared + threadIdx.x / PROPOSE_LANES * propose_stride(d),
                           exists && !is_drawn ? proposed : nullptr);
    if (exists && is_drawn) {
        if (propose_lane() == 0)
            coordinate_draw(&walkers.map, rows.seed, ensemble_draw_index(&rows, step, at.walker),
                            proposed);
        log_factor = INFINITY; /* a draw from the target itself */
    } else if (exists && !by_all && propose_lane() == 0) {
        log_factor = ensemble_propose_row(&rows, step, &at, move, proposed);
    }
    log_factor = __shfl_sync(ALL_LANES, log_factor, 0, PROPOSE_LANES);
    __syncwarp();
    const double log_prior = propose_prepare(walkers, exists && log_factor > -INFINITY, proposed,
                                             rows.parameters + row * rows.shape.n_parameters);
    if (exists && propose_lane() == 0) {
        rows.log_factor[row] = log_factor;
        rows.proposed_log_prior[row] = log_prior;
    }
}

void walkers_launch_propose(const walkers_arrays *walkers, uint64_t step, size_t half,
                            ensemble_move move, cudaStream_t stream)
{
    const size_t n_rows = n_half_rows(walkers->rows.shape);
    const size_t n_bytes =
        PROPOSE_ROWS * propose_stride(walkers->rows.shape.n_coordinates) * sizeof(double);
    const bool has_room = n_bytes <= PROPOSE_SHARED_BYTES;
    propose_kernel<<<n_blocks_of(n_rows), PROPOSE_THREADS, has_room ? n_bytes : 0, stream>>>(
        *walkers, step, half, move, n_rows, has_room);
}

static __global__ void __launch_bounds__(PROPOSE_THREADS)
    accept_kernel(const __grid_constant__ walkers_arrays walkers, uint64_t step, size_t half,
                  ensemble_move move, size_t n_rows)
{
    const ensemble &rows = walkers.rows;
    const size_t d = rows.shape.n_coordinates, row = propose_row() < n_rows ? propose_row() : 0;
    const ensemble_moving_row at = ensemble_locate(&rows, half, row);
    double log_likelihood = -INFINITY;
    const bool moves =
        propose_row() < n_rows && ensemble_decide_row(&rows, step, &at, row, &log_likelihood);
    __syncwarp(); /* all have read what the first will change */
    for (size_t j = propose_lane(); moves && j < d; j += PROPOSE_LANES)
        rows.coordinates[at.walker * d + j] = rows.proposed[row * d + j];
    if (!moves || propose_lane() > 0)
        return;
    rows.log_prior[at.walker] = rows.proposed_log_prior[row];
    rows.log_likelihood[at.walker] = log_likelihood;
    if (!ensemble_is_prior(&rows, at.temperature))
        atomicAdd((unsigned long long *)&walkers.sums
                      .n_accepted[at.temperature * ENSEMBLE_N_MOVES + move],
                  1ull);
}

void walkers_launch_accept(const walkers_arrays *walkers, uint64_t step, size_t half,
                           ensemble_move move, cudaStream_t stream)
{
    const size_t n_rows = n_half_rows(walkers->rows.shape);
    accept_kernel<<<n_blocks_of(n_rows), PROPOSE_THREADS, 0, stream>>>(*walkers, step, half, move,
                                                                       n_rows);
}
