#include "inference/scan/orbit_mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status.h"
#include "inference/scan/orbit_products.h"
#include "inference/scan/phase_products.h"
#include "inference/scan/phase_wave.h"
#include "inference/scan/scan_grid.h"
#include "inference/study/study_crew.h"
#include "model/circle.h"
#include "model/machine_clones.h"

/* Frequencies within so many of their uncertainties, this many uncertainties apart: for a curve
 * like a normal distribution the sum is then the integral to 1e-4. */
#define REACH 5.0
#define STEP 1.4
/* Eccentricities whose orbits of the best frequency hold less than those of another by so much, in
 * ln, do not count. */
#define NEGLIGIBLE 5.0
#define FEWEST_PHASES 12
#define MOST_PHASES 4096

/* Orbits that gain more are known so well that the grid has no node near them; their errors then
 * say how wide the peak is. */
#define STRONG 150.0

static const double eccentricities[] = {0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4,
                                        0.5, 0.6,  0.7, 0.8,  0.9, 0.95};
enum { N_ECCENTRICITIES = sizeof eccentricities / sizeof *eccentricities };
/* Those that are always looked at; and what the last two of them lack, in ln, where the others are
 * not. */
enum { N_ORDINARY = N_ECCENTRICITIES - 2 };
#define HOPELESS 15.0

/* What is needed for some nodes of one frequency and eccentricity. */
typedef struct workspace {
    size_t n_obs, n_nodes;
    double *mean, *eccentricity, *sine, *cosine, *x, *y; /* [n_nodes][n_obs] */
    double *whitened, *state;                            /* of columns that are whitened together */
} workspace;

static void workspace_free(workspace *work)
{
    free(work->mean);
}

static equant_status workspace_create(size_t n_obs, size_t n_nodes, workspace *work)
{
    size_t n = n_obs * n_nodes, n_states = 2 * n_nodes * (NOISE_PROCESS_MOST_STATES + 1);
    double *memory = malloc((8 * n + n_states) * sizeof *memory);
    *work =
        (workspace){n_obs,          n_nodes,        memory,         memory + n,     memory + 2 * n,
                    memory + 3 * n, memory + 4 * n, memory + 5 * n, memory + 6 * n, memory + 8 * n};
    return memory ? EQUANT_SUCCESS : status_out_of_memory();
}

static inline double dot(size_t n, const double *a, const double *b)
{
    double sum[4] = {0.0, 0.0, 0.0, 0.0};
    size_t k = 0;
    for (; k + 4 <= n; k += 4)
        for (size_t i = 0; i < 4; i++)
            sum[i] += a[k + i] * b[k + i];
    for (; k < n; k++)
        sum[0] += a[k] * b[k];
    return (sum[0] + sum[1]) + (sum[2] + sum[3]);
}

/* The sums of `dot` for x and y with four columns at once: each in its own order, but none waits
 * for the one before. */
typedef double quad __attribute__((vector_size(32)));
enum { COLUMNS_AT_ONCE = 4 };

static inline void load_quad(const double *from, quad *to)
{
    memcpy(to, from, sizeof *to);
}

static inline void dots(size_t n, const double *columns, const double *x, const double *y,
                        double products[2][COLUMNS_AT_ONCE])
{
    quad of_x[COLUMNS_AT_ONCE] = {{0.0}}, of_y[COLUMNS_AT_ONCE] = {{0.0}}, q, a, b;
    size_t k = 0;
    for (; k + 4 <= n; k += 4) {
        load_quad(x + k, &a);
        load_quad(y + k, &b);
#pragma GCC unroll 4
        for (size_t j = 0; j < COLUMNS_AT_ONCE; j++) {
            load_quad(columns + j * n + k, &q);
            of_x[j] += q * a;
            of_y[j] += q * b;
        }
    }
    for (size_t j = 0; j < COLUMNS_AT_ONCE; j++) {
        for (size_t i = k; i < n; i++) {
            of_x[j][0] += columns[j * n + i] * x[i];
            of_y[j][0] += columns[j * n + i] * y[i];
        }
        products[0][j] = (of_x[j][0] + of_x[j][1]) + (of_x[j][2] + of_x[j][3]);
        products[1][j] = (of_y[j][0] + of_y[j][1]) + (of_y[j][2] + of_y[j][3]);
    }
}

static inline void project_out(orbit_products *made, double qx, double qy)
{
    made->xx -= qx * qx;
    made->xy -= qx * qy;
    made->yy -= qy * qy;
}

/* Products of the columns of an orbit beside the basis. */
MACHINE_CLONES static orbit_products products_of(const base_columns *base, const double *x,
                                                 const double *y)
{
    size_t n = base->n_obs, j = 0;
    orbit_products made = {dot(n, x, x), dot(n, x, y), dot(n, y, y), dot(n, x, base->residual),
                           dot(n, y, base->residual)};
    for (; j + COLUMNS_AT_ONCE <= base->n; j += COLUMNS_AT_ONCE) {
        double products[2][COLUMNS_AT_ONCE];
        dots(n, base->basis + j * n, x, y, products);
        for (size_t i = 0; i < COLUMNS_AT_ONCE; i++)
            project_out(&made, products[0][i], products[1][i]);
    }
    for (; j < base->n; j++)
        project_out(&made, dot(n, base->basis + j * n, x), dot(n, base->basis + j * n, y));
    return made;
}

/* Whitens x and y of all nodes. Correlated noise goes from row to row: side by side columns cost
 * little more than one. */
static void whiten_nodes(const base_columns *base, const workspace *work)
{
    size_t n_obs = work->n_obs, n = 2 * work->n_nodes;
    double *columns = work->x; /* y is behind it */
    if (!base->factor) {
        for (size_t i = 0; i < n; i++)
            base_columns_whiten(base, columns + i * n_obs);
        return;
    }
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_obs; k++)
            work->whitened[k * n + i] = columns[i * n_obs + k];
    noise_factor_whiten(base->factor, n, work->whitened, work->state);
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < n_obs; k++)
            columns[i * n_obs + k] = work->whitened[k * n + i];
}

/* Orbits are a piece's own: on one thread. */
static equant_engine_options engine_for_orbits(const study *star)
{
    equant_engine_options engine = star->fit_engine;
    engine.n_threads = 1;
    engine.backend = "cpu";
    return engine;
}

/* cos and sin of the true anomaly, whitened, into work->x and work->y, for each of the m0, one for
 * each node. */
static equant_status columns_of(const study *star, const base_columns *base, double frequency,
                                double e, const double *m0, const workspace *work)
{
    size_t n = base->n_obs, n_all = n * work->n_nodes;
    for (size_t k = 0; k < n; k++) {
        double turns = frequency * base->time_days[k], mean = TWO_PI * (turns - floor(turns));
        for (size_t i = 0; i < work->n_nodes; i++)
            work->mean[i * n + k] = m0[i] + mean;
    }
    for (size_t k = 0; k < n_all; k++)
        work->eccentricity[k] = e;
    const equant_engine_options engine = engine_for_orbits(star);
    equant_status status = equant_kepler_solve(n_all, work->mean, work->eccentricity, &engine, NULL,
                                               work->sine, work->cosine);
    for (size_t k = 0; k < n_all && status == EQUANT_SUCCESS; k++) {
        double distance = 1.0 - e * work->cosine[k];
        work->x[k] = (work->cosine[k] - e) / distance;
        work->y[k] = sqrt(1.0 - e * e) * work->sine[k] / distance;
    }
    if (status == EQUANT_SUCCESS)
        whiten_nodes(base, work);
    return status;
}

/* The m0 of circles. */
static const double at_zero = 0.0;

/* By how much an orbit of these elements, whose K and omega are not read, raises ln L. */
static equant_status gain_at(const study *star, const base_columns *base,
                             const double elements[N_ELEMENTS], double *gain)
{
    workspace work;
    equant_status status = workspace_create(base->n_obs, 1, &work);
    if (status == EQUANT_SUCCESS)
        status = columns_of(star, base, 1.0 / elements[ELEMENT_PERIOD],
                            elements[ELEMENT_ECCENTRICITY], &elements[ELEMENT_M0], &work);
    if (status == EQUANT_SUCCESS)
        *gain = orbit_products_gain(products_of(base, work.x, work.y));
    workspace_free(&work);
    return status;
}

equant_status orbit_mass_circle(const study *star, const base_columns *base,
                                double frequency_per_day, double elements[N_ELEMENTS], double *gain)
{
    workspace work;
    equant_status status = workspace_create(base->n_obs, 1, &work);
    if (status == EQUANT_SUCCESS)
        status = columns_of(star, base, frequency_per_day, 0.0, &at_zero, &work);
    if (status == EQUANT_SUCCESS) {
        orbit_products p = products_of(base, work.x, work.y);
        double determinant = p.xx * p.yy - p.xy * p.xy;
        bool is_there = orbit_products_are_determined(p);
        double a = is_there ? (p.xr * p.yy - p.yr * p.xy) / determinant : 0.0,
               b = is_there ? (p.yr * p.xx - p.xr * p.xy) / determinant : 0.0;
        *gain = orbit_products_gain(p);
        elements[ELEMENT_PERIOD] = 1.0 / frequency_per_day;
        elements[ELEMENT_K] = hypot(a, b);
        elements[ELEMENT_ECCENTRICITY] = 0.0;
        elements[ELEMENT_OMEGA] = 0.0;
        elements[ELEMENT_M0] = atan2(-b, a); /* a cos M + b sin M = K cos(M + M0) */
    }
    workspace_free(&work);
    return status;
}

equant_status orbit_mass_overlap(const study *star, const base_columns *base, double one_per_day,
                                 double other_per_day, double *overlap)
{
    size_t n = base->n_obs;
    workspace work, other;
    equant_status status = workspace_create(n, 1, &work);
    if (status != EQUANT_SUCCESS)
        return status;
    status = workspace_create(n, 1, &other);
    if (status == EQUANT_SUCCESS)
        status = columns_of(star, base, one_per_day, 0.0, &at_zero, &work);
    if (status == EQUANT_SUCCESS)
        status = columns_of(star, base, other_per_day, 0.0, &at_zero, &other);
    if (status == EQUANT_SUCCESS) {
        double *columns[4] = {work.x, work.y, other.x, other.y}, sum = 0.0;
        for (int i = 0; i < 4; i++) {
            base_columns_project(base, columns[i]);
            double before = i % 2 == 1 ? dot(n, columns[i], columns[i - 1]) : 0.0;
            for (size_t k = 0; k < n && i % 2 == 1; k++)
                columns[i][k] -= before * columns[i - 1][k];
            double size = sqrt(dot(n, columns[i], columns[i]));
            for (size_t k = 0; k < n && size > 0.0; k++)
                columns[i][k] /= size;
        }
        for (int i = 0; i < 2; i++)
            for (int j = 2; j < 4; j++)
                sum += pow(dot(n, columns[i], columns[j]), 2.0);
        *overlap = 0.5 * sum;
    }
    workspace_free(&other);
    workspace_free(&work);
    return status;
}

/* ---- mass ---------------------------------------------------------------- */

/* What a mass is summed over. */
typedef struct neighbourhood {
    double frequency, width;              /* of the best orbit, and the uncertainty of a circle's */
    double signal;                        /* over the noise: sqrt(2 gain) */
    double scales[ORBIT_PRODUCTS_SCALES]; /* of amplitudes */
} neighbourhood;

/* The prior's share of the eccentricities around node i: of the Beta distribution, by sums in e^a,
 * in which its density is finite. */
static double eccentricity_share(int i)
{
    const double a = ECCENTRICITY_A, b = ECCENTRICITY_B;
    const int n_steps = 64;
    double low = i > 0 ? 0.5 * (eccentricities[i - 1] + eccentricities[i]) : 0.0;
    double high =
        i + 1 < N_ECCENTRICITIES ? 0.5 * (eccentricities[i] + eccentricities[i + 1]) : 1.0;
    double from = pow(low, a), step = (pow(high, a) - from) / n_steps, sum = 0.0;
    for (int j = 0; j < n_steps; j++)
        sum += pow(1.0 - pow(from + (j + 0.5) * step, 1.0 / a), b - 1.0);
    return sum * step / a / exp(lgamma(a) + lgamma(b) - lgamma(a + b));
}

/* Phases that follow the curve of ln L: it turns the faster the more eccentric the orbit is. */
static size_t n_phases_of(const neighbourhood *around, double e)
{
    double speed = scan_grid_pericentre_speed(e);
    double n = TWO_PI / STEP * fmax(1.0, e * speed * around->signal);
    return e == 0.0 ? 1 : (size_t)fmin(MOST_PHASES, fmax(FEWEST_PHASES, ceil(n)));
}

/* A frequency and an eccentricity, with all phases of theirs. */
typedef struct phase_row {
    double frequency, e;
    size_t n_phases, first_piece;
    double *evidence;         /* ln, [n_phases] */
    const phase_orbit *orbit; /* of another row with this e; NULL: its own, */
    phase_orbit own;          /* made when it is needed */
} phase_row;

/* Rows that know nothing of each other: all their pieces are shared out together, so that threads
 * meet once and not once a row. */
typedef struct phase_rows {
    const base_columns *base;
    const neighbourhood *around;
    size_t n, n_pieces;
    phase_row *rows; /* [n] */
    size_t n_runs;
    double *evidence[2]; /* of the rows of each run */
} phase_rows;

enum { PHASES_PER_PIECE = 16 };

/* The row of a piece. */
static const phase_row *row_of(const phase_rows *all, size_t piece)
{
    size_t low = 0, high = all->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (all->rows[middle].first_piece <= piece)
            low = middle;
        else
            high = middle;
    }
    return &all->rows[low];
}

/* A row behind white noise, all of its phases at once. */
static equant_status phases_of_row(const study *star, const phase_rows *all, phase_row *row)
{
    orbit_products *products = malloc((row->n_phases + 1) * sizeof *products);
    if (!products)
        return status_out_of_memory();
    const equant_engine_options engine = engine_for_orbits(star);
    equant_status status =
        row->orbit ? EQUANT_SUCCESS : phase_orbit_create(row->e, &engine, &row->own);
    if (status == EQUANT_SUCCESS)
        status = phase_products_find(all->base, row->orbit ? row->orbit : &row->own, row->frequency,
                                     row->n_phases, products);
    for (size_t i = 0; i < row->n_phases && status == EQUANT_SUCCESS; i++)
        row->evidence[i] =
            orbit_products_evidence(products[i], ORBIT_PRODUCTS_SCALES, all->around->scales, NULL);
    free(products);
    return status;
}

static equant_status phases_of_piece(study *star, void *context, size_t piece)
{
    const phase_rows *all = context;
    if (!all->base->factor)
        return phases_of_row(star, all, &all->rows[piece]);
    const phase_row *row = row_of(all, piece);
    size_t first = (piece - row->first_piece) * PHASES_PER_PIECE, left = row->n_phases - first,
           n = left < PHASES_PER_PIECE ? left : PHASES_PER_PIECE, n_obs = all->base->n_obs;
    double m0[PHASES_PER_PIECE] = {0.0};
    workspace work;
    equant_status status = workspace_create(n_obs, n, &work);
    for (size_t i = 0; i < n; i++)
        m0[i] = TWO_PI * (double)(first + i) / (double)row->n_phases;
    if (status == EQUANT_SUCCESS)
        status = columns_of(star, all->base, row->frequency, row->e, m0, &work);
    for (size_t i = 0; i < n && status == EQUANT_SUCCESS; i++)
        row->evidence[first + i] =
            orbit_products_evidence(products_of(all->base, work.x + i * n_obs, work.y + i * n_obs),
                                    ORBIT_PRODUCTS_SCALES, all->around->scales, NULL);
    workspace_free(&work);
    return status;
}

static void phase_rows_free(phase_rows *all)
{
    for (size_t i = 0; i < all->n; i++)
        phase_orbit_free(&all->rows[i].own);
    free(all->rows);
    for (size_t i = 0; i < all->n_runs; i++)
        free(all->evidence[i]);
}

/* Rows from `first` on, as phases_of_piece takes them. */
static phase_rows rows_from(const phase_rows *all, size_t first)
{
    return (phase_rows){
        .base = all->base, .around = all->around, .n = all->n - first, .rows = all->rows + first};
}

/* Fills the evidence of the rows from `first` on, whose frequencies, eccentricities and numbers of
 * phases are given in memory that goes with them. */
static equant_status phase_rows_run(study *star, phase_rows *whole, size_t first)
{
    phase_rows some = rows_from(whole, first), *all = &some;
    size_t n_phases = 0;
    for (size_t i = 0; i < all->n; i++) {
        all->rows[i].first_piece = all->n_pieces;
        all->n_pieces += all->base->factor
                             ? (all->rows[i].n_phases + PHASES_PER_PIECE - 1) / PHASES_PER_PIECE
                             : 1;
        n_phases += all->rows[i].n_phases;
    }
    double *next = malloc((n_phases + 1) * sizeof *next);
    if (!next)
        return status_out_of_memory();
    whole->evidence[whole->n_runs++] = next;
    for (size_t i = 0; i < all->n; i++) {
        all->rows[i].evidence = next;
        next += all->rows[i].n_phases;
    }
    return study_crew_share(star, all->n_pieces, phases_of_piece, all);
}

/* A sum of exponentials as it grows. */
typedef struct log_sum {
    double largest, sum;
} log_sum;

static void log_sum_add(log_sum *total, double term)
{
    if (term > total->largest) {
        total->sum *= exp(total->largest - term);
        total->largest = term;
    }
    total->sum += exp(term - total->largest);
}

/* The steps in frequency of an eccentricity, and how many there are to each side. */
typedef struct frequency_steps {
    double step;
    int reach; /* -1: none counts */
} frequency_steps;

static frequency_steps steps_of(const neighbourhood *around, double e)
{
    double step = STEP * around->width * pow(1.0 - e, 0.75);
    return (frequency_steps){step, (int)ceil(REACH * around->width / step)};
}

/* The next rows of the best frequency, one for each eccentricity, up to n of them. */
static equant_status best_rows(study *star, size_t n, phase_rows *centre)
{
    size_t first = centre->n;
    for (; centre->n < n; centre->n++) {
        size_t n_phases = n_phases_of(centre->around, eccentricities[centre->n]);
        centre->rows[centre->n] =
            (phase_row){.frequency = centre->around->frequency,
                        .e = eccentricities[centre->n],
                        .n_phases = centre->base->factor ? n_phases : phase_wave_round(n_phases)};
    }
    return phase_rows_run(star, centre, first);
}

/* ln of what a row holds. */
static double held_by(const phase_row *row, double log_share)
{
    log_sum here = {-INFINITY, 0.0};
    for (size_t j = 0; j < row->n_phases; j++)
        log_sum_add(&here, row->evidence[j] + log_share - log((double)row->n_phases));
    return here.largest + log(here.sum);
}

/* Whether the most eccentric rows, which cost more than all others, may hold something: not where
 * the orbit itself is less eccentric than the last two of the others, and these are hopeless. */
static bool may_be_extreme(const phase_rows *centre, const double *log_shares, double e)
{
    double most = -INFINITY, last = -INFINITY;
    for (size_t i = 0; i < centre->n; i++) {
        double held = held_by(&centre->rows[i], log_shares[i]);
        most = fmax(most, held);
        if (i + 2 >= centre->n)
            last = fmax(last, held);
    }
    return e >= eccentricities[centre->n - 2] || last >= most - HOPELESS;
}

/* All rows of the best frequency that may count. */
static equant_status find_centre(study *star, const double *log_shares, double e,
                                 phase_rows *centre)
{
    centre->rows = calloc(N_ECCENTRICITIES, sizeof *centre->rows);
    if (!centre->rows)
        return status_out_of_memory();
    equant_status status = best_rows(star, N_ORDINARY, centre);
    if (status == EQUANT_SUCCESS && may_be_extreme(centre, log_shares, e))
        status = best_rows(star, N_ECCENTRICITIES, centre);
    return status;
}

/* Leaves out the eccentricities that hold too little. */
static void choose_eccentricities(const phase_rows *centre, const double *log_shares,
                                  frequency_steps *steps)
{
    double most = -INFINITY;
    for (size_t i = 0; i < centre->n; i++) {
        double held = held_by(&centre->rows[i], log_shares[i]);
        steps[i] = steps_of(centre->around, centre->rows[i].e);
        if (held < most - NEGLIGIBLE)
            steps[i].reach = -1;
        else
            most = fmax(most, held);
    }
}

/* The rows of all other frequencies within the range of periods. */
static equant_status other_rows(study *star, const phase_rows *centre, const frequency_steps *steps,
                                phase_rows *others)
{
    size_t n = 1;
    for (size_t i = 0; i < centre->n; i++)
        n += steps[i].reach < 0 ? 0 : 2 * (size_t)steps[i].reach + 1;
    others->rows = calloc(n, sizeof *others->rows);
    if (!others->rows)
        return status_out_of_memory();
    for (size_t i = 0; i < centre->n; i++)
        for (int j = -steps[i].reach; j <= steps[i].reach; j++) {
            double frequency = centre->around->frequency + j * steps[i].step;
            if (j != 0 && frequency * star->period_max_days > 1.0 &&
                frequency * star->period_min_days < 1.0)
                others->rows[others->n++] = (phase_row){.frequency = frequency,
                                                        .e = eccentricities[i],
                                                        .n_phases = centre->rows[i].n_phases,
                                                        .orbit = &centre->rows[i].own};
        }
    return phase_rows_run(star, others, 0);
}

static void add_row(const phase_row *row, double step, double log_share, log_sum *total)
{
    double log_width = log(step / row->frequency / (double)row->n_phases);
    for (size_t j = 0; j < row->n_phases; j++)
        log_sum_add(total, row->evidence[j] + log_share + log_width);
}

/* The sum over everything, by eccentricity and frequency. */
static void add_rows(const study *star, const phase_rows *centre, const phase_rows *others,
                     const double *log_shares, const frequency_steps *steps, log_sum *total)
{
    const phase_row *next = others->rows, *end = next + others->n;
    double best = centre->around->frequency;
    bool has_best = best * star->period_max_days > 1.0 && best * star->period_min_days < 1.0;
    for (size_t i = 0; i < centre->n; i++) {
        const phase_row *row = &centre->rows[i];
        for (; next < end && next->e == row->e && next->frequency < best; next++)
            add_row(next, steps[i].step, log_shares[i], total);
        if (has_best && steps[i].reach >= 0)
            add_row(row, steps[i].step, log_shares[i], total);
        for (; next < end && next->e == row->e; next++)
            add_row(next, steps[i].step, log_shares[i], total);
    }
}

/* ln of the evidence of all orbits around, the prior of eccentricities included. */
static equant_status sum_around(study *star, const base_columns *base, const neighbourhood *around,
                                double e, double *log_evidence)
{
    phase_rows centre = {.base = base, .around = around}, others = centre;
    double log_shares[N_ECCENTRICITIES];
    frequency_steps steps[N_ECCENTRICITIES];
    log_sum total = {-INFINITY, 0.0};
    for (int i = 0; i < N_ECCENTRICITIES; i++)
        log_shares[i] = log(eccentricity_share(i));
    equant_status status = find_centre(star, log_shares, e, &centre);
    if (status == EQUANT_SUCCESS) {
        choose_eccentricities(&centre, log_shares, steps);
        status = other_rows(star, &centre, steps, &others);
    }
    if (status == EQUANT_SUCCESS)
        add_rows(star, &centre, &others, log_shares, steps, &total);
    *log_evidence = total.largest + log(total.sum);
    phase_rows_free(&centre);
    phase_rows_free(&others);
    return status;
}

/* The standard deviation of the times, by their weights. */
static double spread_of_times(const base_columns *base)
{
    double total = 0.0, mean = 0.0, square = 0.0;
    for (size_t k = 0; k < base->n_obs; k++) {
        double w = base->root_weight[k] * base->root_weight[k];
        total += w;
        mean += w * base->time_days[k];
        square += w * base->time_days[k] * base->time_days[k];
    }
    mean /= total;
    return sqrt(fmax(0.0, square / total - mean * mean));
}

/* The same for an orbit that is known well, by its errors: a peak like a normal distribution in
 * frequency, in the two components of the eccentricity and in the two amplitudes. */
static double share_of_strong(const neighbourhood *around, double e)
{
    const double a = ECCENTRICITY_A, b = ECCENTRICITY_B;
    double error = M_SQRT2 * (1.0 - e * e) / around->signal; /* of eccentricities */
    double usual = fmax(e, error);
    double density = exp((a - 1.0) * log(usual) + (b - 1.0) * log1p(-usual) - lgamma(a) -
                         lgamma(b) + lgamma(a + b));
    double gain = 0.5 * around->signal * around->signal;
    return log(sqrt(TWO_PI) * around->width / around->frequency) +
           log(error * error * density / usual) - log(ORBIT_PRODUCTS_SCALES) - 1.0 - log(gain);
}

/* From the lowest to the highest: no amplitude needs to be larger. */
static double range_of_velocities(const study *star)
{
    const double *velocity = equant_dataset_velocities_m_s(star->dataset);
    double low = velocity[0], high = velocity[0];
    for (size_t k = 1; k < star->n_obs; k++) {
        low = fmin(low, velocity[k]);
        high = fmax(high, velocity[k]);
    }
    return high - low;
}

/* The neighbourhood of an orbit with its gain. Scales of amplitudes go by factors of two, but by
 * larger ones where its own would lie beyond: few observations carry large amplitudes. */
static equant_status look_around(study *star, const base_columns *base,
                                 const double elements[N_ELEMENTS], double reach_m_s,
                                 neighbourhood *around, double *gain)
{
    double weights = 0.0;
    equant_status status = gain_at(star, base, elements, gain);
    for (size_t k = 0; k < base->n_obs; k++)
        weights += base->root_weight[k] * base->root_weight[k];
    double signal = sqrt(2.0 * fmax(*gain, 1.0));
    *around = (neighbourhood){.frequency = 1.0 / elements[ELEMENT_PERIOD],
                              .width = 1.0 / (TWO_PI * signal * spread_of_times(base)),
                              .signal = signal};
    double first = ORBIT_PRODUCTS_FIRST_SCALE * sqrt(2.0 / weights),
           last = fmin(reach_m_s, range_of_velocities(star)),
           factor = fmax(2.0, pow(last / first, 1.0 / (ORBIT_PRODUCTS_SCALES - 1)));
    for (int i = 0; i < ORBIT_PRODUCTS_SCALES; i++)
        around->scales[i] = first * pow(factor, i);
    return status;
}

equant_status orbit_mass_near(study *star, const base_columns *base,
                              const double elements[N_ELEMENTS], double *log_share)
{
    double gain;
    neighbourhood around;
    equant_status status = look_around(star, base, elements, elements[ELEMENT_K], &around, &gain);
    if (status != EQUANT_SUCCESS)
        return status;
    if (gain > STRONG) {
        *log_share = share_of_strong(&around, elements[ELEMENT_ECCENTRICITY]);
        return EQUANT_SUCCESS;
    }
    double log_evidence;
    status = sum_around(star, base, &around, elements[ELEMENT_ECCENTRICITY], &log_evidence);
    *log_share = log_evidence - gain;
    return status;
}

/* ---- intervals --------------------------------------------------------------- */

/* Nodes of eccentricity, by steps in ln(1 - e) down to LEAST_REST, phases of each, frequencies, and
 * bins of ln K from the smallest to the largest share of that of the orbit. */
enum { RANGE_ECCENTRICITIES = 48, RANGE_PHASES = 1024, RANGE_FREQUENCIES = 5, RANGE_BINS = 512 };
#define LEAST_REST 0.004
#define LEAST_AMPLITUDE 1e-3
#define MOST_AMPLITUDE 1e3
#define FREQUENCY_REACH 2.0
/* The upper end of an interval of one standard deviation, and its lower one. */
static const double range_ends[2] = {0.158655, 0.841345};

typedef struct range_sums {
    double of_e[RANGE_ECCENTRICITIES], of_k[RANGE_BINS], usual_m_s;
} range_sums;

static double eccentricity_of(double place)
{
    return 1.0 - pow(LEAST_REST, place / RANGE_ECCENTRICITIES);
}

/* The amplitudes of a node, normal about their best on its best scale, by three points to each
 * side. */
static void add_amplitudes(range_sums *sums, orbit_products p, double scale, double weight)
{
    static const double steps[3] = {-1.7320508075688772, 0.0, 1.7320508075688772},
                        shares[3] = {1.0 / 6.0, 2.0 / 3.0, 1.0 / 6.0};
    double xx = p.xx + 1.0 / (scale * scale), yy = p.yy + 1.0 / (scale * scale);
    double determinant = xx * yy - p.xy * p.xy;
    double a = (p.xr * yy - p.yr * p.xy) / determinant, b = (p.yr * xx - p.xr * p.xy) / determinant;
    double sigma_a = sqrt(yy / determinant), sigma_b = 1.0 / sqrt(yy), slope = -p.xy / yy;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++) {
            double off = steps[i] * sigma_a;
            double k = hypot(a + off, b + slope * off + steps[j] * sigma_b) / sums->usual_m_s;
            double place = log(k / LEAST_AMPLITUDE) / log(MOST_AMPLITUDE / LEAST_AMPLITUDE);
            int bin = (int)fmax(0.0, fmin(RANGE_BINS - 1, place * RANGE_BINS));
            sums->of_k[bin] += weight * shares[i] * shares[j];
        }
}

/* All phases of a frequency and an eccentricity. */
static equant_status add_phases(const study *star, const base_columns *base,
                                const neighbourhood *around, double frequency, int node,
                                double log_prior, range_sums *sums)
{
    workspace work;
    double e = eccentricity_of(node + 0.5), weights[ORBIT_PRODUCTS_SCALES];
    equant_status status = workspace_create(base->n_obs, 1, &work);
    for (int i = 0; i < RANGE_PHASES && status == EQUANT_SUCCESS; i++) {
        double m0 = TWO_PI * i / RANGE_PHASES;
        status = columns_of(star, base, frequency, e, &m0, &work);
        orbit_products p = products_of(base, work.x, work.y);
        double weight = exp(
            log_prior + orbit_products_evidence(p, ORBIT_PRODUCTS_SCALES, around->scales, weights));
        int best = 0;
        for (int s = 1; s < ORBIT_PRODUCTS_SCALES; s++)
            best = weights[s] > weights[best] ? s : best;
        if (status != EQUANT_SUCCESS || !isfinite(weight))
            continue;
        sums->of_e[node] += weight;
        add_amplitudes(sums, p, around->scales[best], weight);
    }
    workspace_free(&work);
    return status;
}

/* Where a share of a histogram lies below, in bins. */
static double quantile(size_t n, const double *sums, double share)
{
    double total = 0.0, below = 0.0;
    for (size_t i = 0; i < n; i++)
        total += sums[i];
    for (size_t i = 0; i < n; i++) {
        if (below + sums[i] >= share * total && sums[i] > 0.0)
            return (double)i + (share * total - below) / sums[i];
        below += sums[i];
    }
    return (double)n;
}

equant_status orbit_mass_range(study *star, const base_columns *base,
                               const double elements[N_ELEMENTS], orbit_range *range)
{
    const double a = ECCENTRICITY_A, b = ECCENTRICITY_B, beyond = 8.0;
    range_sums sums = {.usual_m_s = elements[ELEMENT_K]};
    neighbourhood around;
    double gain;
    equant_status status =
        look_around(star, base, elements, beyond * elements[ELEMENT_K], &around, &gain);
    for (int node = 0; node < RANGE_ECCENTRICITIES; node++) {
        double e = eccentricity_of(node + 0.5);
        /* The step in e is proportional to 1 - e. */
        double log_prior = (a - 1.0) * log(e) + b * log1p(-e) - gain;
        for (int i = 0; i < RANGE_FREQUENCIES && status == EQUANT_SUCCESS; i++) {
            double step = FREQUENCY_REACH * (2.0 * i / (RANGE_FREQUENCIES - 1) - 1.0);
            status = add_phases(star, base, &around, around.frequency + step * around.width, node,
                                log_prior, &sums);
        }
    }
    for (int end = 0; end < 2 && status == EQUANT_SUCCESS; end++) {
        double place = quantile(RANGE_BINS, sums.of_k, range_ends[end]) / RANGE_BINS;
        range->eccentricity[end] =
            eccentricity_of(quantile(RANGE_ECCENTRICITIES, sums.of_e, range_ends[end]));
        range->k_m_s[end] =
            sums.usual_m_s * LEAST_AMPLITUDE * pow(MOST_AMPLITUDE / LEAST_AMPLITUDE, place);
    }
    /* What is not ended by the data ends with the nodes. */
    const double open = 1.5;
    if (range->eccentricity[1] > eccentricity_of(RANGE_ECCENTRICITIES - open)) {
        range->eccentricity[1] = 1.0;
        range->k_m_s[1] = INFINITY;
    }
    return status;
}
