#include "inference/compare/slot_shapes.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "model/circle.h"
#include "model/machine_clones.h"

/* Layers up to the edge behind them; the eccentricity that stands for each, and its phases, which
 * follow the width of a pericentre passage. */
static const double edges[SLOT_LAYERS] = {0.07, 0.2, 0.35, 0.5, 0.66, 1.0};
static const double eccentricities[SLOT_LAYERS] = {0.0, 0.13, 0.27, 0.42, 0.58, 0.75};
static const size_t phases[SLOT_LAYERS] = {1, 8, 12, 16, 24, 40};
/* Points of a turn by which harmonics are found. */
enum { N_POINTS = 256 };

/* Harmonics of cos nu, even in M, and of sin nu, odd. */
static equant_status find_harmonics(double e, double even[SLOT_HARMONICS],
                                    double odd[SLOT_HARMONICS])
{
    double mean[N_POINTS], eccentricity[N_POINTS], sine[N_POINTS], cosine[N_POINTS];
    const equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = "cpu", .n_threads = 1};
    for (int i = 0; i < N_POINTS; i++) {
        mean[i] = TWO_PI * i / N_POINTS;
        eccentricity[i] = e;
    }
    equant_status status =
        equant_kepler_solve(N_POINTS, mean, eccentricity, &engine, NULL, sine, cosine);
    for (int h = 1; h <= SLOT_HARMONICS && status == EQUANT_SUCCESS; h++) {
        double a = 0.0, b = 0.0;
        for (int i = 0; i < N_POINTS; i++) {
            double inverse = 1.0 / (1.0 - e * cosine[i]);
            a += (cosine[i] - e) * inverse * cos(h * mean[i]);
            b += sqrt(1.0 - e * e) * sine[i] * inverse * sin(h * mean[i]);
        }
        even[h - 1] = 2.0 * a / N_POINTS;
        odd[h - 1] = 2.0 * b / N_POINTS;
    }
    return status;
}

/* Where the first harmonic of a node is. */
static size_t place_of_node(size_t node)
{
    return node / SLOT_NODE_LANES * SLOT_WAVES * SLOT_NODE_LANES + node % SLOT_NODE_LANES;
}

static size_t n_groups(const slot_shapes *shapes)
{
    return (shapes->n_nodes + SLOT_NODE_LANES - 1) / SLOT_NODE_LANES;
}

static equant_status fill_layer(slot_shapes *made, size_t layer)
{
    double even[SLOT_HARMONICS], odd[SLOT_HARMONICS];
    equant_status status = find_harmonics(eccentricities[layer], even, odd);
    for (size_t i = 0; i < made->n_phases[layer] && status == EQUANT_SUCCESS; i++) {
        double m0 = TWO_PI * (double)i / (double)made->n_phases[layer];
        size_t first = place_of_node(made->first_node[layer] + i);
        double *x = made->x + first, *y = made->y + first;
        for (int h = 1; h <= SLOT_HARMONICS; h++) {
            double c = cos(h * m0), s = sin(h * m0);
            size_t even_wave = (size_t)(2 * h - 2) * SLOT_NODE_LANES,
                   odd_wave = even_wave + SLOT_NODE_LANES;
            x[even_wave] = even[h - 1] * c;
            x[odd_wave] = -even[h - 1] * s;
            y[even_wave] = odd[h - 1] * s;
            y[odd_wave] = odd[h - 1] * c;
        }
    }
    return status;
}

equant_status slot_shapes_create(const count_star *star, const count_priors *priors,
                                 slot_shapes *made)
{
    memset(made, 0, sizeof *made);
    made->star = star;
    double below = 0.0;
    do {
        size_t layer = made->n_layers++;
        made->edge[layer + 1] = edges[layer];
        made->n_phases[layer] = phases[layer];
        made->first_node[layer] = made->n_nodes;
        made->n_nodes += phases[layer];
        double up_to = count_priors_below(priors, edges[layer]);
        made->share[layer] = up_to - below;
        below = up_to;
    } while (made->n_layers < SLOT_LAYERS && edges[made->n_layers - 1] < priors->eccentricity_max);
    made->x = calloc(n_groups(made) * SLOT_WAVES * SLOT_NODE_LANES, sizeof *made->x);
    made->y = calloc(n_groups(made) * SLOT_WAVES * SLOT_NODE_LANES, sizeof *made->y);
    equant_status status = made->x && made->y ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t layer = 0; layer < made->n_layers && status == EQUANT_SUCCESS; layer++)
        status = fill_layer(made, layer);
    if (status != EQUANT_SUCCESS)
        slot_shapes_free(made);
    return status;
}

void slot_shapes_free(slot_shapes *shapes)
{
    free(shapes->x);
    free(shapes->y);
    memset(shapes, 0, sizeof *shapes);
}

equant_status slot_shapes_room_create(const count_star *star, slot_shapes_room *made)
{
    made->waves = malloc(SLOT_WAVES * star->n_obs * sizeof *made->waves);
    made->whitened = malloc(SLOT_WAVES * star->n_obs * sizeof *made->whitened);
    made->state = malloc(SLOT_WAVES * (NOISE_PROCESS_MOST_STATES + 1) * sizeof *made->state);
    if (made->waves && made->whitened && made->state)
        return EQUANT_SUCCESS;
    slot_shapes_room_free(made);
    return status_out_of_memory();
}

void slot_shapes_room_free(slot_shapes_room *room)
{
    free(room->waves);
    free(room->whitened);
    free(room->state);
    memset(room, 0, sizeof *room);
}

/* ---- the harmonics of a frequency ---------------------------------------- */

static void fill_waves(const count_star *star, double frequency, double *waves)
{
    for (size_t k = 0; k < star->n_obs; k++, waves += SLOT_WAVES) {
        double turns = frequency * star->time_days[k], angle = TWO_PI * (turns - floor(turns));
        double c = cos(angle), s = sin(angle);
        waves[0] = c;
        waves[1] = s;
        for (int h = 1; h < SLOT_HARMONICS; h++) {
            waves[2 * h] = c * waves[2 * h - 2] - s * waves[2 * h - 1];
            waves[2 * h + 1] = s * waves[2 * h - 2] + c * waves[2 * h - 1];
        }
    }
}

/* A double for each of some nodes, or of some harmonics. */
typedef double lane __attribute__((vector_size(8 * SLOT_NODE_LANES), aligned(8), may_alias));

/* Harmonics whose products with all those before them are summed together, and lanes of them. */
enum { ROWS = 4, WAVE_LANES = SLOT_WAVES / SLOT_NODE_LANES };

/* Products of some harmonics, from `first` on, with the first n_lanes lanes of all. */
static inline __attribute__((always_inline)) void fill_rows(const count_noise *noise, size_t n_obs,
                                                            const double *whitened, int first,
                                                            int n_lanes,
                                                            double matrix[SLOT_WAVES][SLOT_WAVES])
{
    lane sums[ROWS][WAVE_LANES];
    memset(sums, 0, sizeof sums);
    for (size_t k = 0; k < n_obs; k++) {
        const double *row = whitened + SLOT_WAVES * k;
        const lane *lanes = (const lane *)row;
        double weight = noise->is_white ? noise->weight[k] : 1.0;
        for (int i = 0; i < ROWS; i++) {
            double share = weight * row[first + i];
            for (int j = 0; j < n_lanes; j++)
                sums[i][j] += share * lanes[j];
        }
    }
    memcpy(matrix[first], sums, sizeof sums);
}

/* Products of all harmonics beside the rest, of each with those before it, and with the residual.
 */
MACHINE_CLONES static void fill_products(const count_noise *noise, const background *rest,
                                         const slot_shapes_room *room,
                                         double matrix[SLOT_WAVES][SLOT_WAVES],
                                         double vector[SLOT_WAVES])
{
    size_t n = rest->star->n_obs;
    fill_rows(noise, n, room->whitened, 0, 1, matrix);
    fill_rows(noise, n, room->whitened, ROWS, 1, matrix);
    fill_rows(noise, n, room->whitened, 2 * ROWS, WAVE_LANES, matrix);
    fill_rows(noise, n, room->whitened, 3 * ROWS, WAVE_LANES, matrix);
    memset(vector, 0, SLOT_WAVES * sizeof *vector);
    for (size_t k = 0; k < n; k++)
        for (int i = 0; i < SLOT_WAVES; i++)
            vector[i] += rest->residual[k] * room->waves[SLOT_WAVES * k + (size_t)i];
    for (size_t c = 0; c < rest->n; c++) {
        const double *q = rest->solved + c * n;
        double along[SLOT_WAVES] = {0.0};
        for (size_t k = 0; k < n; k++)
            for (size_t i = 0; i < SLOT_WAVES; i++)
                along[i] += q[k] * room->waves[SLOT_WAVES * k + i];
        for (int i = 0; i < SLOT_WAVES; i++)
            for (int j = 0; j <= i; j++)
                matrix[i][j] -= along[i] * along[j];
    }
}

/* Of a group of nodes. The matrix is symmetric: of each pair of harmonics one is enough, and half
 * of each with itself. */
static inline __attribute__((always_inline)) void
fill_group(const lane *x, const lane *y, const double matrix[SLOT_WAVES][SLOT_WAVES],
           const double vector[SLOT_WAVES], lane made[5])
{
    lane xx = {0.0}, xy = {0.0}, yy = {0.0}, xr = {0.0}, yr = {0.0};
    for (int i = 0; i < SLOT_WAVES; i++) {
        lane own_x = x[i], own_y = y[i];
        lane along_x = 0.5 * matrix[i][i] * own_x, along_y = 0.5 * matrix[i][i] * own_y;
        for (int j = 0; j < i; j++) {
            along_x += matrix[i][j] * x[j];
            along_y += matrix[i][j] * y[j];
        }
        xx += own_x * along_x;
        xy += own_x * along_y + own_y * along_x;
        yy += own_y * along_y;
        xr += vector[i] * own_x;
        yr += vector[i] * own_y;
    }
    made[0] = 2.0 * xx;
    made[1] = xy;
    made[2] = 2.0 * yy;
    made[3] = xr;
    made[4] = yr;
}

/* Of all nodes, side by side: a sum of one alone would wait for each of its terms. */
MACHINE_CLONES static void fill_nodes(const slot_shapes *shapes,
                                      const double matrix[SLOT_WAVES][SLOT_WAVES],
                                      const double vector[SLOT_WAVES], orbit_products *made)
{
    for (size_t node = 0; node < shapes->n_nodes; node += SLOT_NODE_LANES) {
        const lane *x = (const lane *)(shapes->x + place_of_node(node)),
                   *y = (const lane *)(shapes->y + place_of_node(node));
        lane sums[5];
        fill_group(x, y, matrix, vector, sums);
        for (size_t i = 0; i < SLOT_NODE_LANES && node + i < shapes->n_nodes; i++)
            made[node + i] =
                (orbit_products){sums[0][i], sums[1][i], sums[2][i], sums[3][i], sums[4][i]};
    }
}

void slot_shapes_evaluate(const slot_shapes *shapes, const count_priors *priors,
                          const count_noise *noise, const background *rest, double frequency,
                          slot_shapes_room *room, double *log_evidence)
{
    double matrix[SLOT_WAVES][SLOT_WAVES], vector[SLOT_WAVES];
    orbit_products products[SLOT_MOST_NODES];
    fill_waves(shapes->star, frequency, room->waves);
    memcpy(room->whitened, room->waves, SLOT_WAVES * shapes->star->n_obs * sizeof *room->whitened);
    if (!noise->is_white)
        noise_factor_whiten(&noise->factor, SLOT_WAVES, room->whitened, room->state);
    fill_products(noise, rest, room, matrix, vector);
    fill_nodes(shapes, matrix, vector, products);
    for (size_t i = 0; i < shapes->n_nodes; i++)
        log_evidence[i] =
            orbit_products_evidence(products[i], priors->n_scales, priors->scales, NULL);
}

/* ---- cells ---------------------------------------------------------------- */

static size_t layer_of(const slot_shapes *shapes, size_t node)
{
    size_t layer = 0;
    while (layer + 1 < shapes->n_layers && node >= shapes->first_node[layer + 1])
        layer++;
    return layer;
}

size_t slot_shapes_node(const slot_shapes *shapes, double eccentricity, double m0)
{
    size_t layer = 0;
    while (layer + 1 < shapes->n_layers && eccentricity >= shapes->edge[layer + 1])
        layer++;
    double n = (double)shapes->n_phases[layer], turns = m0 / TWO_PI;
    double place = floor((turns - floor(turns)) * n + 0.5);
    return shapes->first_node[layer] + (place < n ? (size_t)place : 0);
}

double slot_shapes_share(const slot_shapes *shapes, size_t node)
{
    size_t layer = layer_of(shapes, node);
    return shapes->share[layer] / (double)shapes->n_phases[layer];
}

void slot_shapes_point(const slot_shapes *shapes, const count_priors *priors, size_t node,
                       double first, double second, double *eccentricity, double *m0)
{
    size_t layer = layer_of(shapes, node);
    double below = 0.0, n = (double)shapes->n_phases[layer];
    for (size_t i = 0; i < layer; i++)
        below += shapes->share[i];
    double e = count_priors_eccentricity(priors, below + first * shapes->share[layer]);
    /* Rounding must not take it to another cell. */
    if (layer + 1 < shapes->n_layers)
        e = fmin(e, nextafter(shapes->edge[layer + 1], 0.0));
    *eccentricity = fmax(e, shapes->edge[layer]);
    *m0 = TWO_PI * ((double)(node - shapes->first_node[layer]) + second - 0.5) / n;
}
