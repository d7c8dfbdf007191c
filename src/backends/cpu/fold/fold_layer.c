#include "backends/cpu/fold/fold_layer.h"

#include <math.h>
#include <stdlib.h>

#include "backends/cpu/problem.h"
#include "backends/cpu/scan_table.h"
#include "model/circle.h"

/* ---- how many cells -------------------------------------------------------- */

/* Harmonic h of an orbit falls like exp(-h d), d the distance from the axis of its nearest
 * singularity; the error of a spline is below 5e-5 of what it stands for where the cells are as
 * many as this over d. */
enum { LEAST_CELLS = 16, MOST_CELLS = 8192 };

size_t fold_layer_cells(double eccentricity, size_t n_taps)
{
    double cells_times_distance = n_taps == FOLD_TAPS_FEW ? 36.0 : 24.0;
    double wanted = cells_times_distance / scan_table_singularity(eccentricity);
    size_t n = n_taps == FOLD_TAPS_FEW ? 2 * LEAST_CELLS : LEAST_CELLS;
    if (!(wanted <= MOST_CELLS))
        return 0;
    while ((double)n < wanted || !fourier_plan_can(n / 2))
        n += 8;
    return n;
}

/* ---- what it costs --------------------------------------------------------- */

/* In steps of eight lanes: fitted to measurements on an AVX2 core. */
static double direct_steps(size_t n_phases, size_t n_obs, size_t n_base)
{
    return (double)n_phases / 8.0 * ((double)n_obs * (8.0 + 1.1 * (double)n_base) + 90.0);
}

static double transform_steps(size_t length)
{
    return 3.5 * (double)length * log2((double)length);
}

static double groups_of(size_t n_base)
{
    return ceil((double)(FOLD_COLUMN_BASE + n_base) / 8.0);
}

/* From observations to the harmonics of the columns. */
static double column_steps(size_t n_cells, size_t n_taps, size_t n_obs, size_t n_base)
{
    double taps = (double)n_taps, n_groups = groups_of(n_base);
    return (double)n_obs * (4.0 + taps + 1.4 * taps * n_groups) +
           n_groups * transform_steps(n_cells / 2);
}

/* From there to the nodes. */
static double node_steps(size_t n_cells, size_t n_phases, size_t n_base)
{
    return groups_of(n_base) *
           (transform_steps(n_phases) + 10.0 * (double)(n_cells / 2 + n_phases));
}

size_t fold_layer_taps(double eccentricity, size_t n_phases, size_t n_obs, size_t n_base)
{
    static const size_t choices[] = {FOLD_TAPS_FEW, FOLD_TAPS_MANY};
    double least = direct_steps(n_phases, n_obs, n_base);
    size_t chosen = 0;
    if (!(eccentricity > 0.0) || !fourier_plan_can(n_phases))
        return 0;
    for (size_t i = 0; i < sizeof choices / sizeof *choices; i++) {
        size_t n_cells = fold_layer_cells(eccentricity, choices[i]);
        double steps = column_steps(n_cells, choices[i], n_obs, n_base) +
                       node_steps(n_cells, n_phases, n_base);
        if (n_cells > 0 && steps < least) {
            least = steps;
            chosen = choices[i];
        }
    }
    return chosen;
}

bool fold_layer_joins(double eccentricity, size_t n_phases, size_t n_obs, size_t n_base)
{
    if (!(eccentricity > 0.0) || !fourier_plan_can(n_phases))
        return false;
    size_t n_cells = fold_layer_cells(eccentricity, FOLD_TAPS_FEW);
    return n_cells > 0 &&
           node_steps(n_cells, n_phases, n_base) < direct_steps(n_phases, n_obs, n_base);
}

/* ---- harmonics ------------------------------------------------------------- */

/* Samples of a turn for each cell: harmonics that they do not tell apart are far below those that
 * count. */
enum { SAMPLES_PER_CELL = 2 };

/* Fourier coefficients, a_h of the even functions and b_h of the odd ones:
 *   sum_h a_h cos(h M), sum_h b_h sin(h M) over all h, negative ones too. */
typedef struct harmonics {
    size_t n;
    double *memory;
    double *x, *y, *xx, *xy, *yy; /* [n] */
} harmonics;

/* One coefficient of each function from samples of half a turn; its ends count half. */
static void project(const harmonics *of, size_t h, size_t n_samples, const double *cosines,
                    const double *x, const double *y)
{
    size_t half = n_samples / 2, quarter = n_samples / 4;
    double sum_x = 0.0, sum_y = 0.0, sum_xx = 0.0, sum_xy = 0.0, sum_yy = 0.0;
    for (size_t i = 0, place = 0; i <= half; i++) {
        double share = i == 0 || i == half ? 0.5 : 1.0;
        double c = share * cosines[place];
        double s = cosines[place < quarter ? place + 3 * quarter : place - quarter];
        sum_x += c * x[i];
        sum_y += s * y[i];
        sum_xx += c * x[i] * x[i];
        sum_xy += s * x[i] * y[i];
        sum_yy += c * y[i] * y[i];
        place += h;
        place -= place >= n_samples ? n_samples : 0;
    }
    double scale = 2.0 / (double)n_samples;
    of->x[h] = scale * sum_x;
    of->y[h] = scale * sum_y;
    of->xx[h] = scale * sum_xx;
    of->xy[h] = scale * sum_xy;
    of->yy[h] = scale * sum_yy;
}

static bool harmonics_create(harmonics *of, size_t n, const cpu_kernels *exact, double eccentricity)
{
    size_t n_samples = 2 * SAMPLES_PER_CELL * n, n_here = n_samples / 2 + 1;
    *of = (harmonics){.n = n, .memory = problem_allocate(5 * n, sizeof(double))};
    double *samples = problem_allocate(4 * n_here + n_samples, sizeof *samples);
    bool complete = of->memory && samples;
    if (complete) {
        of->x = of->memory;
        of->y = of->x + n;
        of->xx = of->y + n;
        of->xy = of->xx + n;
        of->yy = of->xy + n;
        double *M = samples, *e = M + n_here, *x = e + n_here, *y = x + n_here;
        double *cosines = y + n_here;
        for (size_t i = 0; i < n_here; i++) {
            M[i] = 2.0 * PI * (double)i / (double)n_samples;
            e[i] = eccentricity;
        }
        for (size_t i = 0; i < n_samples; i++)
            cosines[i] = cos(2.0 * PI * (double)i / (double)n_samples);
        scan_table_orbit(exact, n_here, M, e, x, y);
        for (size_t h = 0; h < n; h++)
            project(of, h, n_samples, cosines, x, y);
    }
    free(samples);
    return complete;
}

/* ---- weights --------------------------------------------------------------- */

/* What the unnormalised spline of the loop, whose integral is (n_taps - 1)!, makes of harmonic h.
 */
static double spline_harmonic(size_t h, size_t n_cells, size_t n_taps)
{
    double angle = PI * (double)h / (double)n_cells, factorial = 1.0;
    for (size_t i = 2; i < n_taps; i++)
        factorial *= (double)i;
    return h == 0 ? factorial : factorial * pow(sin(angle) / angle, (double)n_taps);
}

/* Weights of column `which` at harmonics h and -h, in a lane. Half of them: the loop leaves spectra
 * doubled. Every second changes its sign: cells begin at M = -pi. */
static void store_weights(const fold_layer *layer, const harmonics *of, size_t h, size_t which,
                          size_t lane)
{
    double even = of->x[h], odd = of->y[h];
    if (which == FOLD_COLUMN_XX) {
        even = of->xx[h];
        odd = of->xy[h];
    } else if (which == FOLD_COLUMN_YY) {
        even = of->yy[h];
        odd = 0.0;
    }
    double spline = spline_harmonic(h, layer->n_cells, layer->n_taps);
    double scale = (h % 2 == 0 ? 0.5 : -0.5) / spline;
    float *weights = layer->weights + 2 * h * layer->weights_stride + lane;
    weights[0] = (float)(scale * (even - odd));
    weights[layer->weights_stride] = h == 0 ? 0.0f : (float)(scale * (even + odd));
}

static void fill_layer(const fold_layer *layer, const harmonics *of, size_t n_columns)
{
    size_t n = layer->n_cells / 2;
    for (size_t h = 0; h < n; h++) {
        double angle = -2.0 * PI * (double)h / (double)layer->n_cells;
        layer->turns[2 * h] = (float)sin(angle); /* -i exp(i angle) */
        layer->turns[2 * h + 1] = (float)-cos(angle);
        for (size_t lane = 0; lane < layer->weights_stride; lane++)
            store_weights(layer, of, h, lane % n_columns, lane);
    }
}

equant_status fold_layer_create(fold_layer *layer, const cpu_kernels *exact, double eccentricity,
                                size_t n_lanes, size_t n_columns)
{
    size_t n_special = (FOLD_COLUMN_RESIDUAL + n_lanes - 1) / n_lanes;
    layer->weights_stride = (n_special + 1) * n_lanes;
    size_t n = layer->n_cells / 2;
    harmonics of = {.n = 0};
    layer->turns = problem_allocate(2 * n, sizeof(float));
    layer->weights = problem_allocate(2 * n * layer->weights_stride, sizeof(float));
    bool complete = layer->turns && layer->weights && fourier_plan_create(&layer->cells, n) &&
                    fourier_plan_create(&layer->phases, layer->n_phases) &&
                    harmonics_create(&of, n, exact, eccentricity);
    if (complete)
        fill_layer(layer, &of, n_columns);
    free(of.memory);
    return complete ? EQUANT_SUCCESS : EQUANT_ERROR_OUT_OF_MEMORY;
}

void fold_layer_free(fold_layer *layer)
{
    fourier_plan_free(&layer->cells);
    fourier_plan_free(&layer->phases);
    free(layer->turns);
    free(layer->weights);
}
