/* Differential evolution of orbits. A member is a row of coordinates: for each planet its
 * frequency f, e cos M0 and e sin M0, whose differences mean the same everywhere, and the
 * logarithm of each instrument's jitter. What enters linearly is solved for and not evolved.
 *
 * Likelihoods of orbits are forests of narrow peaks, in which differences alone are soon
 * lost. So a share of the trials redraws one planet, and members begin as the best of many
 * draws: together they reach every peak of the forest a few times. */
#include "inference/select/planets/differential_evolution.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/placement.h"
#include "core/progress_report.h"
#include "core/status_fail.h"
#include "inference/search/amplitude_solver.h"
#include "model/circle.h"
#include "model/orbit_elements.h"
#include "parallel/parallel_for.h"
#include "statistics/random_draw.h"

/* Shares of the trials and of the members, and how far mutations go. */
#define REDRAWN_SHARE 0.25 /* trials that redraw a planet                           */
#define TOWARDS_SHARE 0.5  /* other trials that start towards one of the best       */
#define BEST_SHARE 0.1     /* members of an island that count as best               */
#define CROSSOVER 0.9      /* probability of a planet to be mutated ...             */
#define CROSSOVER_RARE 0.1 /* ... in one half of the trials and in the other        */
#define SMALLEST_STEP 0.5  /* factor on differences, up to 1                        */
#define COVERAGE 2.0       /* draws per peak to begin with, and in vain before the end */
#define LEAST_GAIN 1e-4    /* in log-likelihood that counts as success              */

enum {
    N_SHAPE = 3, /* coordinates of a planet */
    N_ISLANDS = 4,
    LEAST_ISLAND = 64,
    MEMBERS_PER_COORDINATE = 10,
    STEPS_PER_EPOCH = 40,
    LEAST_PATIENCE = 3, /* epochs */
    MAX_EPOCHS = 1000
};

/* What all islands share, and none changes. */
typedef struct evolution {
    const differential_evolution_options *options;
    size_t n_planets, n_instruments, n_jitters, n_coordinates;
    double frequency_min, frequency_max;
    double *log_jitter_min, *log_jitter_max; /* [n_instruments] */
    size_t island_size;
    size_t n_first_steps, patience; /* draws at the beginning; epochs without success */
} evolution;

typedef struct population {
    double *coordinates; /* [island_size][n_coordinates] */
    double *elements;    /* [island_size][n_planets][N_ELEMENTS] */
    double *log_likelihood;
} population;

/* Islands live by themselves, each on one thread, for an epoch at a time. */
typedef struct island {
    const evolution *shared;
    uint32_t number;
    size_t step;
    population members, trials;
    double *jitters; /* [island_size][n_instruments] */
    size_t *rank;    /* [island_size]: members, best first */
    amplitude_solver *solver;
} island;

/* Uniform draws of one trial, one after the other. */
typedef struct draws {
    random_stream stream;
    uint64_t next;
} draws;

static draws draws_of(const island *home, size_t member)
{
    uint64_t trial = (uint64_t)home->step * home->shared->island_size + member;
    return (draws){.stream = {.seed = home->shared->options->seed,
                              .purpose = RANDOM_PURPOSE_EVOLUTION,
                              .substream = 1 + home->number},
                   .next = trial << 21};
}

static double draw(draws *from)
{
    random_uniforms drawn = random_uniforms_at(from->stream, from->next / 2);
    return drawn.half[from->next++ % 2];
}

static size_t draw_below(draws *from, size_t n)
{
    size_t drawn = (size_t)(draw(from) * (double)n);
    return drawn < n ? drawn : n - 1;
}

/* One half of the frequencies uniform, as peaks are; the other log-uniform, as planets are. */
static void draw_planet(const evolution *shared, draws *from, double *shape)
{
    double least = shared->frequency_min, largest = shared->frequency_max;
    bool uniform = draw(from) < 0.5;
    double u = draw(from), e = shared->options->eccentricity_max * draw(from);
    double m0 = TWO_PI * draw(from);
    shape[0] = uniform ? least + u * (largest - least) : least * pow(largest / least, u);
    shape[1] = e * cos(m0);
    shape[2] = e * sin(m0);
}

static void draw_member(const evolution *shared, draws *from, double *coordinates)
{
    for (size_t p = 0; p < shared->n_planets; p++)
        draw_planet(shared, from, coordinates + N_SHAPE * p);
    double *log_jitter = coordinates + N_SHAPE * shared->n_planets;
    for (size_t i = 0; i < shared->n_jitters; i++)
        log_jitter[i] = shared->log_jitter_min[i] +
                        draw(from) * (shared->log_jitter_max[i] - shared->log_jitter_min[i]);
}

/* Brings a value that left its range back into it, as far inside as it was outside. */
static double reflect(double value, double least, double largest)
{
    double back = value < least     ? 2.0 * least - value
                  : value > largest ? 2.0 * largest - value
                                    : value;
    return fmin(fmax(back, least), largest);
}

static void reflect_member(const evolution *shared, double *coordinates)
{
    for (size_t p = 0; p < shared->n_planets; p++) {
        double *shape = coordinates + N_SHAPE * p, e = hypot(shape[1], shape[2]);
        shape[0] = reflect(shape[0], shared->frequency_min, shared->frequency_max);
        if (e > shared->options->eccentricity_max) {
            double shrink = reflect(e, 0.0, shared->options->eccentricity_max) / e;
            shape[1] *= shrink;
            shape[2] *= shrink;
        }
    }
    double *log_jitter = coordinates + N_SHAPE * shared->n_planets;
    for (size_t i = 0; i < shared->n_jitters; i++)
        log_jitter[i] =
            reflect(log_jitter[i], shared->log_jitter_min[i], shared->log_jitter_max[i]);
}

static const double *coordinates_of(const island *home, size_t member)
{
    return home->members.coordinates + member * home->shared->n_coordinates;
}

static const double *draw_any(const island *home, draws *from)
{
    return coordinates_of(home, draw_below(from, home->shared->island_size));
}

static const double *draw_best(const island *home, draws *from)
{
    size_t n_best = (size_t)ceil(BEST_SHARE * (double)home->shared->island_size);
    return coordinates_of(home, home->rank[draw_below(from, n_best)]);
}

/* Moves some parts of the trial, which is a copy of the target: towards or onto a leader,
 * then by a difference of two members. A part is a planet, or all jitters. */
static void mutate(const island *home, draws *from, const double *target, double *trial)
{
    const evolution *shared = home->shared;
    double step = SMALLEST_STEP + (1.0 - SMALLEST_STEP) * draw(from);
    bool towards = draw(from) < TOWARDS_SHARE;
    const double *leader = towards ? draw_best(home, from) : draw_any(home, from);
    double pull = towards ? step : 1.0;
    const double *first = draw_any(home, from), *second = draw_any(home, from);
    double crossover = draw(from) < 0.5 ? CROSSOVER : CROSSOVER_RARE;
    size_t n_parts = shared->n_planets + (shared->n_jitters > 0);
    size_t chosen = draw_below(from, n_parts);
    for (size_t b = 0; b < n_parts; b++) {
        if (draw(from) > crossover && b != chosen)
            continue;
        size_t end = b < shared->n_planets ? N_SHAPE * (b + 1) : shared->n_coordinates;
        for (size_t c = N_SHAPE * b; c < end; c++)
            trial[c] = target[c] + pull * (leader[c] - target[c]) + step * (second[c] - first[c]);
    }
    reflect_member(shared, trial);
}

static void make_trial(const island *home, size_t member, double *trial)
{
    const evolution *shared = home->shared;
    draws from = draws_of(home, member);
    const double *target = coordinates_of(home, member);
    if (home->step < shared->n_first_steps) {
        draw_member(shared, &from, trial);
    } else if (draw(&from) < REDRAWN_SHARE) {
        bool of_best = draw(&from) < 0.5;
        const double *parent = of_best ? draw_best(home, &from) : target;
        memcpy(trial, parent, shared->n_coordinates * sizeof *trial);
        draw_planet(shared, &from, trial + N_SHAPE * draw_below(&from, shared->n_planets));
    } else {
        memcpy(trial, target, shared->n_coordinates * sizeof *trial);
        mutate(home, &from, target, trial);
    }
}

static void write_elements(const evolution *shared, const double *coordinates, double *elements,
                           double *jitters)
{
    for (size_t p = 0; p < shared->n_planets; p++) {
        const double *shape = coordinates + N_SHAPE * p;
        double m0 = atan2(shape[2], shape[1]);
        elements[N_ELEMENTS * p] = 1.0 / shape[0];
        elements[N_ELEMENTS * p + ELEMENT_ECCENTRICITY] = hypot(shape[1], shape[2]);
        elements[N_ELEMENTS * p + ELEMENT_M0] = m0 < 0.0 ? m0 + TWO_PI : m0;
    }
    for (size_t i = 0; i < shared->n_instruments; i++)
        jitters[i] =
            i < shared->n_jitters ? exp(coordinates[N_SHAPE * shared->n_planets + i]) : 0.0;
}

static void swap(double *one, double *other, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        double kept = one[i];
        one[i] = other[i];
        other[i] = kept;
    }
}

/* The strongest planet first: then the same planet of two members is in the same place, and
 * their differences mean something. */
static void sort_planets(const evolution *shared, double *coordinates, double *elements)
{
    for (size_t p = 1; p < shared->n_planets; p++)
        for (size_t q = p; q > 0; q--) {
            double *later = elements + N_ELEMENTS * q, *earlier = later - N_ELEMENTS;
            if (!(later[1] > earlier[1]))
                break;
            swap(later, earlier, N_ELEMENTS);
            swap(coordinates + N_SHAPE * q, coordinates + N_SHAPE * (q - 1), N_SHAPE);
        }
}

static void copy_member(const evolution *shared, const population *from, size_t source,
                        population *to, size_t place)
{
    size_t n = shared->n_coordinates, width = N_ELEMENTS * shared->n_planets;
    memcpy(to->coordinates + place * n, from->coordinates + source * n, n * sizeof(double));
    memcpy(to->elements + place * width, from->elements + source * width, width * sizeof(double));
    to->log_likelihood[place] = from->log_likelihood[source];
}

/* A trial that is no worse takes the place of its member. */
static void select_survivors(island *home)
{
    const evolution *shared = home->shared;
    for (size_t m = 0; m < shared->island_size; m++)
        if (home->trials.log_likelihood[m] >= home->members.log_likelihood[m]) {
            sort_planets(shared, home->trials.coordinates + m * shared->n_coordinates,
                         home->trials.elements + m * N_ELEMENTS * shared->n_planets);
            copy_member(shared, &home->trials, m, &home->members, m);
        }
}

static void rank_members(island *home)
{
    const double *log_likelihood = home->members.log_likelihood;
    for (size_t m = 0; m < home->shared->island_size; m++) {
        size_t place = m;
        for (; place > 0; place--) {
            if (!(log_likelihood[m] > log_likelihood[home->rank[place - 1]]))
                break;
            home->rank[place] = home->rank[place - 1];
        }
        home->rank[place] = m;
    }
}

static equant_status take_step(island *home)
{
    const evolution *shared = home->shared;
    for (size_t m = 0; m < shared->island_size; m++) {
        double *trial = home->trials.coordinates + m * shared->n_coordinates;
        make_trial(home, m, trial);
        write_elements(shared, trial, home->trials.elements + m * N_ELEMENTS * shared->n_planets,
                       home->jitters + m * shared->n_instruments);
    }
    equant_status status =
        amplitude_solver_run(home->solver, shared->island_size, home->trials.elements,
                             home->jitters, home->trials.log_likelihood);
    if (status != EQUANT_SUCCESS)
        return status;
    select_survivors(home);
    rank_members(home);
    home->step++;
    return EQUANT_SUCCESS;
}

static equant_status live_for(island *home, size_t n_steps)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t s = 0; s < n_steps && status == EQUANT_SUCCESS; s++)
        status = take_step(home);
    return status;
}

/* The best of each island takes the place of the worst of the next. */
static void migrate(island *islands)
{
    for (size_t i = 0; i < N_ISLANDS; i++) {
        island *from = &islands[i], *to = &islands[(i + 1) % N_ISLANDS];
        size_t worst = to->rank[to->shared->island_size - 1];
        copy_member(from->shared, &from->members, from->rank[0], &to->members, worst);
    }
    for (size_t i = 0; i < N_ISLANDS; i++)
        rank_members(&islands[i]);
}

static const island *best_island(const island *islands)
{
    const island *best = &islands[0];
    for (size_t i = 1; i < N_ISLANDS; i++)
        if (islands[i].members.log_likelihood[islands[i].rank[0]] >
            best->members.log_likelihood[best->rank[0]])
            best = &islands[i];
    return best;
}

typedef struct epoch_work {
    island *islands;
    size_t n_steps;
    equant_status status[N_ISLANDS];
} epoch_work;

static void live_some(void *context, size_t first, size_t end, int thread)
{
    epoch_work *of = context;
    (void)thread;
    for (size_t i = first; i < end; i++)
        of->status[i] = live_for(&of->islands[i], of->n_steps);
}

static equant_status live_an_epoch(island *islands, size_t n_steps, int n_threads)
{
    epoch_work of = {.islands = islands, .n_steps = n_steps};
    parallel_for(n_threads, N_ISLANDS, 1, live_some, &of);
    for (size_t i = 0; i < N_ISLANDS; i++) /* sentences stay behind on their threads */
        if (of.status[i] != EQUANT_SUCCESS)
            return status_fail(of.status[i], "orbits could not be evolved: %s",
                               equant_status_name(of.status[i]));
    migrate(islands);
    return EQUANT_SUCCESS;
}

/* Until nothing better has been found for as long as patience lasts. */
static equant_status evolve(const evolution *shared, island *islands, int n_threads)
{
    const differential_evolution_options *options = shared->options;
    double record = -INFINITY, done = 0.0;
    size_t fruitless = 0;
    for (size_t epoch = 0; epoch < MAX_EPOCHS && fruitless < shared->patience; epoch++) {
        done = fmax(done, (double)fruitless / (double)shared->patience);
        equant_status status = progress_report_tell(options->progress, options->progress_context,
                                                    "evolving orbits", done);
        if (status == EQUANT_SUCCESS)
            status = live_an_epoch(islands, epoch == 0 ? shared->n_first_steps : STEPS_PER_EPOCH,
                                   n_threads);
        if (status != EQUANT_SUCCESS)
            return status;
        const island *best = best_island(islands);
        double value = best->members.log_likelihood[best->rank[0]];
        fruitless = value > record + LEAST_GAIN ? 0 : fruitless + 1;
        record = fmax(record, value);
    }
    return EQUANT_SUCCESS;
}

static void set_jitter_ranges(evolution *shared, const equant_dataset *dataset)
{
    const double *velocity = equant_dataset_velocities_m_s(dataset);
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    const int *instrument = equant_dataset_instruments(dataset);
    size_t n_obs = equant_dataset_n_obs(dataset);
    for (size_t i = 0; i < shared->n_jitters; i++) {
        double least = INFINITY, lowest = INFINITY, highest = -INFINITY;
        for (size_t k = 0; k < n_obs; k++)
            if (instrument[k] == (int)i) {
                least = fmin(least, sigma[k]);
                lowest = fmin(lowest, velocity[k]);
                highest = fmax(highest, velocity[k]);
            }
        shared->log_jitter_min[i] = log(0.01 * least);
        shared->log_jitter_max[i] = log(fmax(least, highest - lowest));
    }
}

static bool create_population(const evolution *shared, population *made)
{
    size_t n = shared->island_size;
    made->coordinates = malloc(n * shared->n_coordinates * sizeof(double));
    made->elements = malloc(n * shared->n_planets * N_ELEMENTS * sizeof(double));
    made->log_likelihood = malloc(n * sizeof(double));
    return made->coordinates && made->elements && made->log_likelihood;
}

static void free_population(population *members)
{
    free(members->coordinates);
    free(members->elements);
    free(members->log_likelihood);
}

static equant_status create_island(const evolution *shared, const equant_dataset *dataset,
                                   const equant_engine_options *engine, island *made)
{
    size_t n = shared->island_size;
    made->shared = shared;
    made->jitters = malloc(n * shared->n_instruments * sizeof(double));
    made->rank = malloc(n * sizeof *made->rank);
    bool complete = create_population(shared, &made->members) &&
                    create_population(shared, &made->trials) && made->jitters && made->rank;
    if (!complete)
        return status_out_of_memory();
    for (size_t m = 0; m < n; m++) {
        made->members.log_likelihood[m] = -INFINITY;
        made->rank[m] = m;
    }
    return amplitude_solver_create(dataset, engine, shared->n_planets, shared->options->trend_order,
                                   &made->solver);
}

static void free_island(island *home)
{
    free_population(&home->members);
    free_population(&home->trials);
    free(home->jitters);
    free(home->rank);
    amplitude_solver_free(home->solver);
}

static void set_sizes(evolution *shared, const equant_dataset *dataset,
                      const differential_evolution_options *options)
{
    const double *time = equant_dataset_times_days(dataset);
    double span = time[equant_dataset_n_obs(dataset) - 1] - time[0];
    shared->options = options;
    shared->n_planets = options->n_planets;
    shared->n_instruments = equant_dataset_n_instruments(dataset);
    shared->n_jitters = options->no_jitter ? 0 : shared->n_instruments;
    shared->n_coordinates = N_SHAPE * shared->n_planets + shared->n_jitters;
    shared->frequency_min = 1.0 / options->period_max_days;
    shared->frequency_max = 1.0 / options->period_min_days;
    size_t size = MEMBERS_PER_COORDINATE * shared->n_coordinates;
    shared->island_size = size > LEAST_ISLAND ? size : LEAST_ISLAND;
    double n_peaks = fmin((shared->frequency_max - shared->frequency_min) * span, 1e6);
    double n_steps = ceil(COVERAGE * n_peaks / (double)(N_ISLANDS * shared->island_size));
    shared->n_first_steps = 1 + (size_t)n_steps;
    shared->patience = LEAST_PATIENCE + (size_t)(n_steps / REDRAWN_SHARE / STEPS_PER_EPOCH);
}

equant_status differential_evolution_run(const equant_dataset *dataset,
                                         const equant_engine_options *engine,
                                         const differential_evolution_options *options,
                                         double *elements, double *jitters, double *log_likelihood)
{
    evolution shared = {0};
    set_sizes(&shared, dataset, options);
    shared.log_jitter_min = malloc(shared.n_instruments * sizeof(double));
    shared.log_jitter_max = malloc(shared.n_instruments * sizeof(double));
    island islands[N_ISLANDS] = {{0}};
    equant_status status =
        shared.log_jitter_min && shared.log_jitter_max ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        set_jitter_ranges(&shared, dataset);
    for (uint32_t i = 0; i < N_ISLANDS && status == EQUANT_SUCCESS; i++) {
        islands[i].number = i;
        status = create_island(&shared, dataset, engine, &islands[i]);
    }
    if (status == EQUANT_SUCCESS) {
        int asked = OPTION_OR_ZERO(engine, equant_engine_options, n_threads);
        status = evolve(&shared, islands, placement_threads(asked));
    }
    if (status == EQUANT_SUCCESS) {
        const island *home = best_island(islands);
        size_t best = home->rank[0], width = N_ELEMENTS * shared.n_planets;
        write_elements(&shared, coordinates_of(home, best), home->trials.elements, jitters);
        memcpy(elements, home->members.elements + best * width, width * sizeof *elements);
        *log_likelihood = home->members.log_likelihood[best];
    }
    for (size_t i = 0; i < N_ISLANDS; i++)
        free_island(&islands[i]);
    free(shared.log_jitter_min);
    free(shared.log_jitter_max);
    return status;
}
