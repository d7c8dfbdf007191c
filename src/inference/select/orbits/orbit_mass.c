#include "inference/select/orbits/orbit_mass.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/select/orbits/frequency_sums.h"
#include "inference/select/orbits/neighbourhood.h"
#include "inference/select/orbits/fft.h"
#include "inference/search/scan_grid.h"
#include "model/circle.h"

/* Frequencies within so many of their uncertainties, this many uncertainties apart: for a curve
 * like a normal distribution the sum is then the integral to 1e-4. */
#define REACH 5.0
#define STEP 1.4
/* Of frequencies that eccentricities share: what the smaller half of the usual ones allows. Others
 * take halves of it. */
#define SHARED_STEP 1.07
/* Eccentricities whose orbits of the best frequency hold less than those of another by so much, in
 * ln, do not count. */
#define NEGLIGIBLE 5.0
#define FEWEST_PHASES 12
#define MOST_PHASES 4096

/* Orbits that gain more are known so well that the grid has no node near them; their errors then
 * say how wide the peak is. */
#define STRONG 150.0
/* The same for narrow ones, which errors do not describe: few observations near pericentre leave
 * the amplitude open, however large the gain is. */
#define VERY_STRONG 1500.0

static const double usual_eccentricities[] = {0.0, 0.05, 0.1, 0.15, 0.2, 0.3, 0.4,
                                              0.5, 0.6,  0.7, 0.8,  0.9, 0.95};
enum { N_USUAL = sizeof usual_eccentricities / sizeof *usual_eccentricities };
/* Orbits above this are narrow enough to lie between two of these unseen: then so many more, each
 * STEP errors from the next, lie around them. */
#define NARROW_FROM 0.5
enum { OWN_ASIDE = 3, MOST_ECCENTRICITIES = N_USUAL + 2 * OWN_ASIDE + 1 };
/* The last two are looked at where others of them lack less than this, in ln. */
#define HOPELESS 15.0

/* The eccentricities around an orbit, its own among them where it would be missed. */
typedef struct eccentricity_nodes {
    size_t n, n_ordinary; /* the ordinary ones are always looked at */
    double e[MOST_ECCENTRICITIES], log_share[MOST_ECCENTRICITIES];
} eccentricity_nodes;

/* The prior's share of the eccentricities around node i: of the Beta distribution, by sums in e^a,
 * in which its density is finite. */
static double eccentricity_share(const eccentricity_nodes *nodes, size_t i)
{
    const double a = ECCENTRICITY_A, b = ECCENTRICITY_B;
    const int n_steps = 64;
    double low = i > 0 ? 0.5 * (nodes->e[i - 1] + nodes->e[i]) : 0.0;
    double high = i + 1 < nodes->n ? 0.5 * (nodes->e[i] + nodes->e[i + 1]) : 1.0;
    double from = pow(low, a), step = (pow(high, a) - from) / n_steps, sum = 0.0;
    for (int j = 0; j < n_steps; j++)
        sum += pow(1.0 - pow(from + (j + 0.5) * step, 1.0 / a), b - 1.0);
    return sum * step / a / exp(lgamma(a) + lgamma(b) - lgamma(a + b));
}

/* Adds a node in its place; the last of the ordinary ones stays what it is. */
static void add_node(double e, eccentricity_nodes *nodes)
{
    size_t place = nodes->n++;
    for (; place > 0 && nodes->e[place - 1] > e; place--)
        nodes->e[place] = nodes->e[place - 1];
    nodes->e[place] = e;
    nodes->n_ordinary += place < nodes->n_ordinary;
}

/* Of an eccentricity that is known as well as a signal in many observations leaves it. */
static double error_of(const neighbourhood *around, double e)
{
    return M_SQRT2 * (1.0 - e * e) / around->signal;
}

static eccentricity_nodes nodes_around(const neighbourhood *around, double e)
{
    eccentricity_nodes nodes = {.n = N_USUAL, .n_ordinary = N_USUAL - 2};
    memcpy(nodes.e, usual_eccentricities, sizeof usual_eccentricities);
    for (int k = -OWN_ASIDE; k <= OWN_ASIDE && e > NARROW_FROM; k++) {
        double there = e + k * STEP * error_of(around, e);
        if (there > NARROW_FROM && there < usual_eccentricities[N_USUAL - 1])
            add_node(there, &nodes);
    }
    for (size_t i = 0; i < nodes.n; i++)
        nodes.log_share[i] = log(eccentricity_share(&nodes, i));
    return nodes;
}

/* Phases that follow the curve of ln L: it turns the faster the more eccentric the orbit is. */
static size_t n_phases_of(const neighbourhood *around, double e)
{
    double speed = scan_grid_pericentre_speed(e);
    double n = TWO_PI / STEP * fmax(1.0, e * speed * around->signal);
    return e == 0.0 ? 1 : (size_t)fmin(MOST_PHASES, fmax(FEWEST_PHASES, ceil(n)));
}

/* The frequencies of an eccentricity. Behind white noise, where rows of one frequency share what
 * costs most, steps are halves of halves of one, as large as they may be, and reach as far:
 * frequencies of one eccentricity are then among those of others. */
static frequency_sum frequencies_of(const phase_rows *centre, double e, double log_share)
{
    double width = centre->around->width, most = STEP * width * pow(1.0 - e, 0.75),
           step = SHARED_STEP * width, reach = ceil(REACH * width / most);
    while (step > most)
        step *= 0.5;
    if (!centre->columns)
        step = most;
    return (frequency_sum){.log_share = log_share,
                           .step = step,
                           .reach = (int)lround((reach + 0.5) * most / step - 0.5)};
}

/* The next rows of the best frequency, one for each eccentricity, up to n of them. */
static equant_status best_rows(study *star, const eccentricity_nodes *nodes, size_t n,
                               phase_rows *centre)
{
    size_t first = centre->n;
    for (; centre->n < n; centre->n++) {
        size_t n_phases = n_phases_of(centre->around, nodes->e[centre->n]);
        centre->rows[centre->n] =
            (phase_row){.frequency = centre->around->frequency,
                        .e = nodes->e[centre->n],
                        .n_phases = centre->base->factor ? n_phases : fft_length(n_phases)};
    }
    return phase_rows_run(star, centre, first);
}

/* Whether the most eccentric rows, which cost more than all others, may hold something: not where
 * the orbit itself is less eccentric than the last two of the others, and these are hopeless. */
static bool may_be_extreme(const phase_rows *centre, const eccentricity_nodes *nodes, double e)
{
    double most = -INFINITY, last = -INFINITY;
    for (size_t i = 0; i < centre->n; i++) {
        double held = phase_row_held(&centre->rows[i], 1) + nodes->log_share[i];
        most = fmax(most, held);
        if (i + 2 >= centre->n)
            last = fmax(last, held);
    }
    return e >= nodes->e[centre->n - 2] || last >= most - HOPELESS;
}

/* All rows of the best frequency that may count. */
static equant_status find_centre(study *star, const eccentricity_nodes *nodes, double e,
                                 phase_rows *centre)
{
    centre->rows = calloc(nodes->n, sizeof *centre->rows);
    if (!centre->rows)
        return status_out_of_memory();
    equant_status status = best_rows(star, nodes, nodes->n_ordinary, centre);
    if (status == EQUANT_SUCCESS && may_be_extreme(centre, nodes, e))
        status = best_rows(star, nodes, nodes->n, centre);
    return status;
}

/* Leaves out the eccentricities that hold too little. */
static void choose_eccentricities(const phase_rows *centre, const eccentricity_nodes *nodes,
                                  frequency_sum *sums)
{
    double most = -INFINITY;
    for (size_t i = 0; i < centre->n; i++) {
        double held = phase_row_held(&centre->rows[i], 1) + nodes->log_share[i];
        sums[i] = frequencies_of(centre, centre->rows[i].e, nodes->log_share[i]);
        if (held < most - NEGLIGIBLE)
            sums[i].reach = -1;
        else
            most = fmax(most, held);
    }
}

/* ln of the evidence of all orbits around, the prior of eccentricities included. */
static equant_status sum_around(study *star, const base_columns *base, const neighbourhood *around,
                                double e, double *log_evidence)
{
    weighted_columns columns = {0};
    phase_rows centre = {.base = base, .columns = base->factor ? NULL : &columns, .around = around};
    const eccentricity_nodes nodes = nodes_around(around, e);
    frequency_sum sums[MOST_ECCENTRICITIES];
    equant_status status = base->factor ? EQUANT_SUCCESS : phase_columns_create(base, &columns);
    if (status == EQUANT_SUCCESS)
        status = find_centre(star, &nodes, e, &centre);
    if (status == EQUANT_SUCCESS) {
        choose_eccentricities(&centre, &nodes, sums);
        status = frequency_sums_find(star, &centre, sums, log_evidence);
    }
    phase_rows_free(&centre);
    weighted_columns_free(&columns);
    return status;
}

/* The same for an orbit that is known well, by its errors: a peak like a normal distribution in
 * frequency, in the two components of the eccentricity and in the two amplitudes. */
static double share_of_strong(const neighbourhood *around, double e)
{
    const double a = ECCENTRICITY_A, b = ECCENTRICITY_B;
    double error = error_of(around, e);
    double usual = fmax(e, error);
    double density = exp((a - 1.0) * log(usual) + (b - 1.0) * log1p(-usual) - lgamma(a) -
                         lgamma(b) + lgamma(a + b));
    double gain = 0.5 * around->signal * around->signal;
    return log(sqrt(TWO_PI) * around->width / around->frequency) +
           log(error * error * density / usual) - log(ORBIT_PRODUCTS_SCALES) - 1.0 - log(gain);
}

equant_status orbit_mass_near(study *star, const base_columns *base,
                              const double elements[N_ELEMENTS], double *log_share)
{
    double gain;
    neighbourhood around;
    equant_status status =
        neighbourhood_find(star, base, elements, elements[ELEMENT_K], &around, &gain);
    if (status != EQUANT_SUCCESS)
        return status;
    if (gain > (elements[ELEMENT_ECCENTRICITY] > NARROW_FROM ? VERY_STRONG : STRONG)) {
        *log_share = share_of_strong(&around, elements[ELEMENT_ECCENTRICITY]);
        return EQUANT_SUCCESS;
    }
    double log_evidence;
    status = sum_around(star, base, &around, elements[ELEMENT_ECCENTRICITY], &log_evidence);
    *log_share = log_evidence - gain;
    return status;
}

/* By how much the share of an orbit is above that of its errors at most, in ln: 8.6 was seen for
 * narrow orbits and 4 for others; of strong signals, both are the same formula. */
#define NARROW_EXCESS 9.0
#define WEAK_EXCESS 5.0

equant_status orbit_mass_bound(study *star, const base_columns *base,
                               const double elements[N_ELEMENTS], double *log_share)
{
    double gain;
    neighbourhood around;
    equant_status status =
        neighbourhood_find(star, base, elements, elements[ELEMENT_K], &around, &gain);
    if (status != EQUANT_SUCCESS)
        return status;
    double e = elements[ELEMENT_ECCENTRICITY];
    bool is_narrow = e > NARROW_FROM, is_strong = gain > (is_narrow ? VERY_STRONG : STRONG);
    double excess = is_strong ? 0.0 : is_narrow ? NARROW_EXCESS : WEAK_EXCESS;
    *log_share = fmin(0.0, share_of_strong(&around, e) + excess);
    return status;
}
