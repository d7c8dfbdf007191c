#include "backends/scan_noise.h"

scan_noise_shape scan_noise_shape_of(const backend_scan_noise *noise)
{
    scan_noise_shape shape = {0, 0, 0};
    for (size_t b = 0; noise && b < noise->n_blocks; b++) {
        shape.n_singles += noise->block_states[b] == 1;
        shape.n_pairs += noise->block_states[b] == 2;
        shape.n_triples += noise->block_states[b] == 3;
    }
    return shape;
}

size_t scan_noise_states(scan_noise_shape shape)
{
    return (size_t)(shape.n_singles + 2 * shape.n_pairs + 3 * shape.n_triples);
}

size_t scan_noise_row_length(scan_noise_shape shape)
{
    return (size_t)(SCAN_NOISE_SINGLE * shape.n_singles + SCAN_NOISE_PAIR * shape.n_pairs +
                    SCAN_NOISE_TRIPLE * shape.n_triples);
}

int scan_noise_kind(scan_noise_shape shape)
{
    if (shape.n_singles > SCAN_NOISE_MOST_SINGLES || shape.n_pairs > SCAN_NOISE_MOST_PAIRS ||
        shape.n_triples > 0)
        return SCAN_NOISE_ANY;
    return SCAN_NOISE_KIND(shape.n_singles, shape.n_pairs);
}

/* What a row holds of a block of m states, whose numbers begin there in those of all states and
 * of all propagators. Behind the last row nothing is remembered. */
static void fill_block(const backend_scan_noise *noise, size_t n_obs, size_t row, size_t m,
                       size_t state, size_t element, double *filled)
{
    const double *u = noise->u + row * noise->n_states + state;
    const double *w = noise->w + row * noise->n_states + state;
    const double *next =
        row + 1 < n_obs ? noise->propagators + (row + 1) * noise->propagator_size + element : NULL;
    double inverse_root = noise->inverse_root[row];
    for (size_t i = 0; i < m; i++) {
        double gain = 0.0;
        filled[i] = u[i] * inverse_root;
        for (size_t j = 0; j < m; j++) {
            double r = next ? next[i * m + j] : 0.0;
            filled[m + i * m + j] = r;
            gain += r * w[j];
        }
        filled[m + m * m + i] = gain / inverse_root;
    }
}

/* Pairs that take what singles are left over. */
static int pairs_needed(scan_noise_shape shape, scan_noise_shape room)
{
    int left = shape.n_singles > room.n_singles ? shape.n_singles - room.n_singles : 0;
    return shape.n_pairs + (left + 1) / 2;
}

bool scan_noise_fits(scan_noise_shape shape, scan_noise_shape room)
{
    return pairs_needed(shape, room) <= room.n_pairs && shape.n_triples <= room.n_triples;
}

/* Puts one state to the first or second place of a pair. */
static void join_pair(const double *single, int place, double *pair)
{
    pair[place] = single[0];
    pair[2 + 3 * place] = single[1];
    pair[6 + place] = single[2];
}

void scan_noise_fill_row(const backend_scan_noise *noise, size_t n_obs, size_t row,
                         scan_noise_shape shape, double *filled)
{
    double *pairs = filled + SCAN_NOISE_SINGLE * shape.n_singles;
    double *triples = pairs + SCAN_NOISE_PAIR * shape.n_pairs;
    double *shared = pairs + SCAN_NOISE_PAIR * scan_noise_shape_of(noise).n_pairs;
    size_t state = 0, element = 0, length = scan_noise_row_length(shape);
    int n_singles = 0;
    for (size_t i = 0; i < length; i++)
        filled[i] = 0.0;
    for (size_t b = 0; b < noise->n_blocks; b++) {
        size_t m = (size_t)noise->block_states[b];
        double single[SCAN_NOISE_SINGLE], *place = single;
        if (m == 1 && n_singles < shape.n_singles)
            place = filled + SCAN_NOISE_SINGLE * n_singles;
        else if (m == 2)
            place = pairs, pairs += SCAN_NOISE_PAIR;
        else if (m == 3)
            place = triples, triples += SCAN_NOISE_TRIPLE;
        fill_block(noise, n_obs, row, m, state, element, place);
        if (place == single) {
            int left = n_singles - shape.n_singles;
            join_pair(single, left % 2, shared + SCAN_NOISE_PAIR * (left / 2));
        }
        n_singles += m == 1;
        state += m;
        element += m * m;
    }
}
