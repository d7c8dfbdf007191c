#include "noise/noise_covariance.h"

/* k = a e^-h with h = (q^2 sin^2(b tau) + c^2 tau^2) / 2, so that k' = -h' k and
 * k'' = (h'^2 - h'') k; cov(G', G) = k', cov(G, G') = -k', cov(G', G') = -k'', tau the time of the
 * first less that of the second. */
static double quasi_periodic(const noise_block *block, const noise_place *first,
                             const noise_place *second)
{
    double tau = first->time_days - second->time_days, b = block->b;
    double turned = block->q * sin(b * tau), gone = block->c * tau;
    double k = block->a * exp(-0.5 * (turned * turned + gone * gone));
    double sum = first->alpha * second->alpha * k;
    if (first->beta == 0.0 && second->beta == 0.0)
        return sum;
    double q = block->q * block->q, c = block->c * block->c;
    double slope = 0.5 * q * b * sin(2.0 * b * tau) + c * tau,
           bend = q * b * b * cos(2.0 * b * tau) + c;
    sum -= (first->beta * second->alpha - first->alpha * second->beta) * slope * k;
    return sum - first->beta * second->beta * (slope * slope - bend) * k;
}

static noise_row row_of(const noise_place *place)
{
    return (noise_row){.alpha = place->alpha,
                       .beta = place->beta,
                       .instrument = place->instrument,
                       .owner = place->owner};
}

/* u' R v, with u of the later and v of the earlier. */
static double carried(const noise_block *block, const noise_place *later,
                      const noise_place *earlier)
{
    double sum = 0.0, r[3][3], u[3], v[3], other[3];
    const noise_row before = row_of(earlier);
    noise_row row = row_of(later);
    int m = noise_block_states(block->kind);
    row.days_since_last = later->time_days - earlier->time_days;
    row.begins_night = later->night != earlier->night;
    noise_block_propagator(block, &row, r);
    noise_block_view(block, &row, u, other);
    noise_block_view(block, &before, other, v);
    for (int i = 0; i < m; i++)
        for (int j = 0; j < m; j++)
            sum += u[i] * r[i][j] * v[j];
    return sum;
}

/* A place as it sees a block. */
static noise_place place_before(const noise_block *block, const noise_place *place)
{
    noise_place seen = *place;
    noise_block_weigh(block, place->owner, &seen.alpha, &seen.beta);
    return seen;
}

double noise_covariance(const noise_process *process, const noise_place *a, const noise_place *b)
{
    const noise_place *later = a->time_days >= b->time_days ? a : b, *earlier = later == a ? b : a;
    double sum = 0.0;
    for (int i = 0; i < process->n_blocks; i++) {
        const noise_block *block = &process->block[i];
        const noise_place last = place_before(block, later), first = place_before(block, earlier);
        sum += block->kind == NOISE_BLOCK_QUASI_PERIODIC ? quasi_periodic(block, &last, &first)
                                                         : carried(block, &last, &first);
    }
    return sum;
}

/* ---- derivatives -------------------------------------------------------------------------------
 */

/* With E = k (A - B h' - D (h'^2 - h'')), dE = -dh E + k (-B dh' - D (2 h' dh' - dh'')). */
static noise_adjoint_block quasi_periodic_slopes(const noise_block *block, const noise_place *first,
                                                 const noise_place *second)
{
    double tau = first->time_days - second->time_days, a = block->a, b = block->b, c = block->c,
           q = block->q;
    double sine = sin(b * tau), sine2 = sin(2.0 * b * tau), cosine2 = cos(2.0 * b * tau);
    double k = exp(-0.5 * (q * q * sine * sine + c * c * tau * tau));
    double crossed = first->beta * second->alpha - first->alpha * second->beta,
           both = first->beta * second->beta;
    double slope = 0.5 * q * q * b * sine2 + c * c * tau, bend = q * q * b * b * cosine2 + c * c;
    double whole =
        k * (first->alpha * second->alpha - crossed * slope - both * (slope * slope - bend));
    const struct {
        double h, slope, bend;
    } by[3] = {{0.5 * q * q * tau * sine2, q * q * (0.5 * sine2 + b * tau * cosine2),
                2.0 * q * q * b * (cosine2 - b * tau * sine2)},
               {c * tau * tau, 2.0 * c * tau, 2.0 * c},
               {q * sine * sine, q * b * sine2, 2.0 * q * b * b * cosine2}};
    double changes[3];
    for (int i = 0; i < 3; i++)
        changes[i] = a * (-by[i].h * whole - k * (crossed * by[i].slope +
                                                  both * (2.0 * slope * by[i].slope - by[i].bend)));
    return (noise_adjoint_block){whole, changes[0], changes[1], changes[2]};
}

/* E = u' R v with u = (alpha a + beta (b - c a), alpha b - beta (q a + c b)), v = (alpha + beta c,
 * -beta) of the other place, R = (C, -q S; S, C). */
static noise_adjoint_block damped_slopes(const noise_block *block, const noise_place *later,
                                         const noise_place *earlier)
{
    double t = later->time_days - earlier->time_days, cosine, sine;
    double a = block->a, b = block->b, c = block->c, q = block->q;
    double alpha = later->alpha, beta = later->beta;
    double u0 = alpha * a + beta * (b - c * a), u1 = alpha * b - beta * (q * a + c * b);
    double v0 = earlier->alpha + earlier->beta * c, v1 = -earlier->beta;
    noise_block_swing(block, t, &cosine, &sine);
    double sine_q = noise_adjoint_sine_by_q(block, t, cosine, sine), cosine_q = -0.5 * t * sine;
    double x0 = cosine * v0 - q * sine * v1, x1 = sine * v0 + cosine * v1; /* R v */
    double y0 = cosine_q * v0 - (sine + q * sine_q) * v1, y1 = sine_q * v0 + cosine_q * v1;
    return (noise_adjoint_block){.a = (alpha - beta * c) * x0 - beta * q * x1,
                                 .b = beta * x0 + (alpha - beta * c) * x1,
                                 .c = -beta * (a * x0 + b * x1) - t * (u0 * x0 + u1 * x1) +
                                      earlier->beta * (u0 * cosine + u1 * sine),
                                 .q = -beta * a * x1 + u0 * y0 + u1 * y1};
}

/* E = a e^-x (u . r), r = R v e^x: polynomials of c. */
static noise_adjoint_block matern52_slopes(const noise_block *block, const noise_place *later,
                                           const noise_place *earlier)
{
    double t = later->time_days - earlier->time_days, c = block->c, x = c * t, decay = exp(-x);
    double alpha = later->alpha, beta = later->beta;
    double u[3] = {alpha, alpha - beta * c / 3.0, 2.0 * (alpha - beta * c) / 3.0},
           u_c[3] = {0.0, -beta / 3.0, -2.0 * beta / 3.0};
    double v0 = earlier->alpha + earlier->beta * c, v1 = -earlier->beta * c, v0_c = earlier->beta,
           v1_c = -earlier->beta;
    double r[3] = {v0, x * v0 + v1, 0.5 * x * x * v0 + x * v1},
           r_c[3] = {v0_c, t * v0 + x * v0_c + v1_c,
                     t * x * v0 + 0.5 * x * x * v0_c + t * v1 + x * v1_c};
    noise_adjoint_block made = {0.0, 0.0, 0.0, 0.0};
    for (int i = 0; i < 3; i++) {
        made.a += decay * u[i] * r[i];
        made.c += block->a * decay * (u_c[i] * r[i] + u[i] * r_c[i] - t * u[i] * r[i]);
    }
    return made;
}

static noise_adjoint_block single_slopes(const noise_block *block, const noise_place *later,
                                         const noise_place *earlier)
{
    double t = later->time_days - earlier->time_days, c = block->c, decay = exp(-c * t);
    double u = later->alpha - later->beta * c, v = earlier->alpha + earlier->beta * c;
    return (noise_adjoint_block){.a = u * v * decay,
                                 .c = block->a * decay *
                                      (u * earlier->beta - later->beta * v - t * u * v)};
}

static noise_adjoint_block night_slopes(const noise_block *block, const noise_place *later,
                                        const noise_place *earlier)
{
    bool shared = later->instrument == block->instrument &&
                  earlier->instrument == block->instrument && later->night == earlier->night;
    return (noise_adjoint_block){.a = shared ? later->alpha * earlier->alpha : 0.0};
}

static noise_adjoint_block slopes_of(const noise_block *block, const noise_place *later,
                                     const noise_place *earlier)
{
    switch (block->kind) {
    case NOISE_BLOCK_DAMPED:
        return damped_slopes(block, later, earlier);
    case NOISE_BLOCK_MATERN52:
        return matern52_slopes(block, later, earlier);
    case NOISE_BLOCK_EXPONENTIAL:
        return single_slopes(block, later, earlier);
    case NOISE_BLOCK_NIGHT:
        return night_slopes(block, later, earlier);
    case NOISE_BLOCK_QUASI_PERIODIC:
        break;
    }
    return quasi_periodic_slopes(block, later, earlier);
}

void noise_covariance_differentiate(const noise_process *process, const noise_place *a,
                                    const noise_place *b, double share,
                                    noise_adjoint_block by_block[NOISE_PROCESS_MOST_BLOCKS])
{
    const noise_place *later = a->time_days >= b->time_days ? a : b, *earlier = later == a ? b : a;
    for (int i = 0; i < process->n_blocks; i++) {
        const noise_block *block = &process->block[i];
        const noise_place last = place_before(block, later), first = place_before(block, earlier);
        noise_adjoint_block slopes = slopes_of(block, &last, &first);
        by_block[i].a += share * slopes.a;
        by_block[i].b += share * slopes.b;
        by_block[i].c += share * slopes.c;
        by_block[i].q += share * slopes.q;
    }
}

bool noise_covariance_is_whole(const noise_process *process)
{
    for (int i = 0; i < process->n_blocks; i++)
        if (process->block[i].kind == NOISE_BLOCK_QUASI_PERIODIC)
            return true;
    return false;
}
