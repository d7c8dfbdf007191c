#include "binaries/sb2_scan.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "parallel/parallel_for.h"
#include "physics/sky_orbit.h"

#define MOST_FREQUENCIES 2e7

/* Nodes: `PER_PEAK` frequencies in 1 / span, phases of pericentre for each eccentricity, directions
 * of (a, b) in half a circle. Lanes are rows that are added side by side. */
enum {
    PER_PEAK = 5,
    N_SHAPES = 5,
    N_DIRECTIONS = 8,
    N_IMPROVEMENTS = 2,
    N_PHASES = 1024,
    LANES = 8,
    AT_ONCE = 64,
    FINER = 8
};
static const struct shape {
    float eccentricity;
    int n_phases;
} shapes[N_SHAPES] = {{0.0F, 1}, {0.25F, 6}, {0.5F, 10}, {0.7F, 14}, {0.85F, 24}};

/* C and S of an eccentricity by the phase. */
typedef struct shape_table {
    float C[N_PHASES], S[N_PHASES];
} shape_table;

typedef struct scan_node {
    float gain;
    short shape, phase;
} scan_node;

/* Rows with two velocities; the last ones, up to whole lanes, weigh nothing. */
typedef struct scan {
    size_t n, n_padded, n_shapes, n_frequencies;
    double first, step;               /* cycles a day */
    double *days;                     /* [n_padded] */
    float *weight, *difference, *sum; /* of the sum without its mean */
    double mean;
    shape_table *tables; /* [n_shapes] */
    scan_node *nodes;    /* [n_frequencies] */
    int *places;         /* [n_threads][n_padded] */
    float *values;       /* [n_threads][2][n_padded] */
} scan;

/* a and b, and what chi-square falls by. */
typedef struct fitted {
    float a, b, gain;
} fitted;

/* ---- one node ----------------------------------------------------------------------------------
 */

static float total(const float lanes[LANES])
{
    float sum = 0.0F;
    for (int i = 0; i < LANES; i++)
        sum += lanes[i];
    return sum;
}

static fitted solve(float cc, float cs, float ss, float c, float s)
{
    float determinant = cc * ss - cs * cs;
    fitted found = {0};
    if (!(determinant > 1e-5F * cc * ss))
        return found;
    found.a = (ss * c - cs * s) / determinant;
    found.b = (cc * s - cs * c) / determinant;
    found.gain = found.a * c + found.b * s;
    return found;
}

/* Sums of a node: products of C and S, their means, and with the sum of velocities. */
typedef struct node_sums {
    float cc, cs, ss, c, s, weight, sum_c, sum_s;
} node_sums;

static node_sums add_up(const scan *own, const float *C, const float *S)
{
    float cc[LANES] = {0}, cs[LANES] = {0}, ss[LANES] = {0}, c[LANES] = {0}, s[LANES] = {0},
          w[LANES] = {0}, sum_c[LANES] = {0}, sum_s[LANES] = {0};
    for (size_t k = 0; k < own->n_padded; k += LANES)
        for (size_t i = 0; i < LANES; i++) {
            float weight = own->weight[k + i], wc = weight * C[k + i], ws = weight * S[k + i];
            cc[i] += wc * C[k + i];
            cs[i] += wc * S[k + i];
            ss[i] += ws * S[k + i];
            c[i] += wc;
            s[i] += ws;
            w[i] += weight;
            sum_c[i] += wc * own->sum[k + i];
            sum_s[i] += ws * own->sum[k + i];
        }
    return (node_sums){total(cc), total(cs), total(ss),    total(c),
                       total(s),  total(w),  total(sum_c), total(sum_s)};
}

/* The sizes of the differences with the signs of a C + b S. */
static fitted with_signs(const scan *own, const float *C, const float *S, const node_sums *sums,
                         float a, float b)
{
    float c[LANES] = {0}, s[LANES] = {0};
    for (size_t k = 0; k < own->n_padded; k += LANES)
        for (size_t i = 0; i < LANES; i++) {
            float x = a * C[k + i] + b * S[k + i];
            float signed_difference = copysignf(own->difference[k + i], x); /* weighed */
            c[i] += signed_difference * C[k + i];
            s[i] += signed_difference * S[k + i];
        }
    return solve(sums->cc, sums->cs, sums->ss, total(c), total(s));
}

static fitted fit_difference(const scan *own, const float *C, const float *S, const node_sums *sums)
{
    static const float cosines[N_DIRECTIONS] = {1.0F, 0.92387953F,  0.70710678F,  0.38268343F,
                                                0.0F, -0.38268343F, -0.70710678F, -0.92387953F};
    fitted best = {0};
    for (int d = 0; d < N_DIRECTIONS; d++) {
        float sine = cosines[(d + N_DIRECTIONS / 2) % N_DIRECTIONS];
        sine = d < N_DIRECTIONS / 2 ? -sine : sine;
        fitted found = with_signs(own, C, S, sums, cosines[d], sine);
        best = found.gain > best.gain ? found : best;
    }
    for (int i = 0; i < N_IMPROVEMENTS; i++) {
        fitted found = with_signs(own, C, S, sums, best.a, best.b);
        best = found.gain > best.gain ? found : best;
    }
    return best;
}

/* The sum of the velocities by 1, C and S. */
static fitted fit_sum(const node_sums *sums)
{
    float c = sums->c / sums->weight, s = sums->s / sums->weight;
    return solve(sums->cc - c * sums->c, sums->cs - c * sums->s, sums->ss - s * sums->s,
                 sums->sum_c, sums->sum_s);
}

static void look_up(const shape_table *table, size_t n, const int *places, int shift, float *C,
                    float *S)
{
    for (size_t k = 0; k < n; k++) {
        int place = (places[k] - shift) & (N_PHASES - 1);
        C[k] = table->C[place];
        S[k] = table->S[place];
    }
}

static int shift_of(int shape, int phase)
{
    return phase * N_PHASES / shapes[shape].n_phases;
}

static void find_places(const scan *own, double frequency, int *places)
{
    for (size_t k = 0; k < own->n_padded; k++) {
        double turns = own->days[k] * frequency;
        places[k] = (int)((turns - floor(turns)) * N_PHASES);
    }
}

/* The best eccentricity and phase of a frequency, in the memory of a thread. */
static scan_node best_at(const scan *own, double frequency, int thread)
{
    int *places = own->places + (size_t)thread * own->n_padded;
    float *C = own->values + 2 * (size_t)thread * own->n_padded, *S = C + own->n_padded;
    scan_node best = {0};
    find_places(own, frequency, places);
    for (int shape = 0; shape < (int)own->n_shapes; shape++)
        for (int phase = 0; phase < shapes[shape].n_phases; phase++) {
            look_up(&own->tables[shape], own->n_padded, places, shift_of(shape, phase), C, S);
            node_sums sums = add_up(own, C, S);
            float gain = fit_difference(own, C, S, &sums).gain + fit_sum(&sums).gain;
            if (gain > best.gain)
                best = (scan_node){gain, (short)shape, (short)phase};
        }
    return best;
}

static void scan_some(void *context, size_t first, size_t end, int thread)
{
    const scan *own = context;
    for (size_t f = first; f < end; f++)
        own->nodes[f] = best_at(own, own->first + (double)f * own->step, thread);
}

/* ---- starts ------------------------------------------------------------------------------------
 */

/* The elements of the best node between two neighbours of a frequency of the grid. */
static sb2_start start_of(const scan *own, size_t f)
{
    double centre = own->first + (double)f * own->step, frequency = centre;
    const scan_node *node = &own->nodes[f];
    scan_node best = *node;
    for (int i = -FINER; i <= FINER; i++) {
        double between = centre + own->step * i / FINER;
        scan_node found = between > 0.0 ? best_at(own, between, 0) : best;
        if (found.gain > best.gain) {
            best = found;
            frequency = between;
        }
    }
    node = &best;
    int shift = shift_of(node->shape, node->phase);
    float *C = own->values, *S = C + own->n_padded;
    find_places(own, frequency, own->places);
    look_up(&own->tables[node->shape], own->n_padded, own->places, shift, C, S);
    node_sums sums = add_up(own, C, S);
    fitted difference = fit_difference(own, C, S, &sums), sum = fit_sum(&sums);
    double size = hypot(difference.a, difference.b), e = shapes[node->shape].eccentricity;
    double omega = atan2(-difference.b, difference.a); /* x = cos omega C - sin omega S */
    /* What of the sum goes along the difference is (K1 - K2) / (K1 + K2) of it. */
    double along = (sum.a * difference.a + sum.b * difference.b) / (size * size + 1e-30);
    along = fmax(-0.9, fmin(0.9, along));
    sb2_start start = {.gain = 0.5 * node->gain};
    start.elements[SB2_MOTION] = SKY_ORBIT_TWO_PI * frequency;
    start.elements[SB2_LONGITUDE] = omega - SKY_ORBIT_TWO_PI * shift / N_PHASES;
    start.elements[SB2_COSINE] = e * cos(omega);
    start.elements[SB2_SINE] = e * sin(omega);
    start.elements[SB2_GAMMA] = 0.5 * (own->mean - (sum.a * sums.c + sum.b * sums.s) / sums.weight);
    start.elements[SB2_K1] = 0.5 * size * (1.0 + along);
    start.elements[SB2_K2] = 0.5 * size * (1.0 - along);
    return start;
}

static bool is_peak(const scan *own, size_t f)
{
    size_t low = f > PER_PEAK / 2 ? f - PER_PEAK / 2 : 0;
    float gain = own->nodes[f].gain;
    for (size_t j = low; j <= f + PER_PEAK / 2 && j < own->n_frequencies; j++)
        if (own->nodes[j].gain > gain || (own->nodes[j].gain == gain && j < f))
            return false;
    return gain > 0.0F;
}

/* Local maxima, one in each resolution of frequency, from the best. */
static size_t pick(const scan *own, size_t room, size_t *peaks)
{
    size_t n = 0;
    for (size_t f = 0; f < own->n_frequencies; f++) {
        float gain = own->nodes[f].gain;
        if (!is_peak(own, f) || (n == room && gain <= own->nodes[peaks[room - 1]].gain))
            continue;
        size_t place = n < room ? n++ : room - 1;
        for (; place > 0 && own->nodes[peaks[place - 1]].gain < gain; place--)
            peaks[place] = peaks[place - 1];
        peaks[place] = f;
    }
    return n;
}

/* ---- the scan ----------------------------------------------------------------------------------
 */

static void fill_table(double e, shape_table *table)
{
    double root = sqrt((1.0 - e) * (1.0 + e));
    for (int i = 0; i < N_PHASES; i++) {
        sky_place at = sky_place_at(SKY_ORBIT_TWO_PI * (i + 0.5) / N_PHASES, e);
        table->C[i] = (float)(root * at.Y_M);
        table->S[i] = (float)(-root * at.X_M);
    }
}

static bool has_both(const sb2_row *row)
{
    return !isnan(row->velocity[0]) && !isnan(row->velocity[1]);
}

static void fill_rows(const sb2_epochs *epochs, scan *own)
{
    double weights = 0.0, products = 0.0;
    size_t n = 0;
    for (size_t k = 0; k < epochs->n; k++) {
        const sb2_row *row = &epochs->rows[k];
        if (!has_both(row))
            continue;
        double weight = 1.0 / (row->error[0] * row->error[0] + row->error[1] * row->error[1]);
        double sum = row->velocity[0] + row->velocity[1];
        own->days[n] = row->time_days - epochs->reference_days;
        own->weight[n] = (float)weight;
        own->difference[n] = (float)(weight * fabs(row->velocity[0] - row->velocity[1]));
        own->sum[n++] = (float)sum;
        weights += weight;
        products += weight * sum;
    }
    own->mean = products / weights;
    for (size_t k = 0; k < n; k++)
        own->sum[k] -= (float)own->mean;
}

static equant_status allocate(int n_threads, scan *own)
{
    size_t n = own->n_padded, threads = (size_t)n_threads;
    own->days = calloc(n, sizeof *own->days);
    own->weight = calloc(3 * n, sizeof *own->weight);
    own->tables = malloc(own->n_shapes * sizeof *own->tables);
    own->nodes = malloc(own->n_frequencies * sizeof *own->nodes);
    own->places = malloc(threads * n * sizeof *own->places);
    own->values = malloc(2 * threads * n * sizeof *own->values);
    if (!own->days || !own->weight || !own->tables || !own->nodes || !own->places || !own->values)
        return status_out_of_memory();
    own->difference = own->weight + n;
    own->sum = own->weight + 2 * n;
    return EQUANT_SUCCESS;
}

static void release(scan *own)
{
    free(own->days);
    free(own->weight);
    free(own->tables);
    free(own->nodes);
    free(own->places);
    free(own->values);
}

equant_status sb2_scan_run(const sb2_epochs *epochs, const sb2_scan_range *range, size_t *n,
                           sb2_start starts[SB2_MOST_STARTS], double *n_frequencies)
{
    scan own = {.first = 1.0 / range->period_max_days,
                .step = 1.0 / (PER_PEAK * epochs->span_days)};
    double wanted = (1.0 / range->period_min_days - own.first) / own.step;
    if (!(wanted < MOST_FREQUENCIES))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "periods from %g days on in %g days take %.2g frequencies; at most %.0g "
                           "are searched",
                           range->period_min_days, epochs->span_days, wanted, MOST_FREQUENCIES);
    for (size_t k = 0; k < epochs->n; k++)
        own.n += has_both(&epochs->rows[k]);
    own.n_padded = (own.n + LANES - 1) / LANES * LANES;
    own.n_frequencies = (size_t)wanted + 1;
    for (; own.n_shapes < N_SHAPES; own.n_shapes++)
        if (own.n_shapes > 0 && shapes[own.n_shapes].eccentricity > range->eccentricity_max)
            break;
    equant_status status = allocate(range->n_threads, &own);
    if (status == EQUANT_SUCCESS) {
        for (size_t i = 0; i < own.n_shapes; i++)
            fill_table(shapes[i].eccentricity, &own.tables[i]);
        fill_rows(epochs, &own);
        parallel_for(range->n_threads, own.n_frequencies, AT_ONCE, scan_some, &own);
        size_t peaks[SB2_MOST_STARTS];
        *n = pick(&own, SB2_MOST_STARTS, peaks);
        for (size_t i = 0; i < *n; i++)
            starts[i] = start_of(&own, peaks[i]);
        *n_frequencies = (double)own.n_frequencies / PER_PEAK;
    }
    release(&own);
    return status;
}
