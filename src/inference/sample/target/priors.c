#include "inference/sample/target/model_priors.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "core/model_object.h"
#include "core/status_fail.h"
#include "core/trend_order.h"
#include "inference/sample/target/noise_priors.h"
#include "inference/priors/prior_text.h"
#include "model/circle.h"

struct priors {
    equant_model *model;    /* says what the columns are */
    prior_density *density; /* [n_columns] */
};

/* A set of priors. Offsets are uniform, to either side of the mean velocity of the instrument
 * or of zero; a trend is uniform too, and changes the velocity by no more than that over the
 * time that the data span. */
typedef struct prior_set {
    const char *name, *description;
    const char *elements[N_ELEMENTS];
    const char *jitter;
    double offset_limit_m_s;
    bool offsets_about_mean;
} prior_set;

#define ANY_ANGLE "uniform(0, 6.283185307179586)"

/* 2129 m/s is what a hundredth of the Sun's mass does to the Sun in a circle of one day. */
#define FORD_GREGORY_PERIOD "log-uniform(1, 365250)"
#define FORD_GREGORY_K "ford-gregory(1, 2129, 1)"
#define FORD_GREGORY_JITTER "modified-log-uniform(1, 2129)"
#define FORD_GREGORY_LIMIT 2129.0

static const prior_set sets[] = {
    {"ford-gregory",
     "the field's reference: Ford & Gregory (2006), offsets about the mean of each instrument",
     {FORD_GREGORY_PERIOD, FORD_GREGORY_K, "uniform(0, 1)", ANY_ANGLE, ANY_ANGLE},
     FORD_GREGORY_JITTER,
     FORD_GREGORY_LIMIT,
     true},
    {"kipping",
     "the same with the eccentricities of known planets: Kipping (2013)",
     {FORD_GREGORY_PERIOD, FORD_GREGORY_K, "beta(0.867, 3.03)", ANY_ANGLE, ANY_ANGLE},
     FORD_GREGORY_JITTER,
     FORD_GREGORY_LIMIT,
     true},
    {"circular",
     "the same with circular orbits",
     {FORD_GREGORY_PERIOD, FORD_GREGORY_K, "fixed(0)", "fixed(0)", ANY_ANGLE},
     FORD_GREGORY_JITTER,
     FORD_GREGORY_LIMIT,
     true},
    {"eprv3",
     "the evidence challenge of Nelson et al. (2020), offsets about zero",
     {"log-uniform(1.25, 10000)", "modified-log-uniform(1, 999)", "rayleigh(0.2, 0, 1)", ANY_ANGLE,
      ANY_ANGLE},
     "modified-log-uniform(1, 99)",
     1000.0,
     false},
};

enum { N_SETS = sizeof sets / sizeof *sets };

const char *priors_set_name(size_t index)
{
    return index < N_SETS ? sets[index].name : NULL;
}

const char *priors_set_description(size_t index)
{
    return index < N_SETS ? sets[index].description : NULL;
}

static equant_status find_set(const char *name, const prior_set **found)
{
    for (size_t i = 0; i < N_SETS; i++)
        if (!name || strcmp(name, sets[i].name) == 0) {
            *found = &sets[i];
            return EQUANT_SUCCESS;
        }
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "there is no set of priors \"%.100s\": there are ford-gregory, kipping, "
                       "circular and eprv3",
                       name);
}

/* ---- what a parameter can be --------------------------------------------- */

typedef struct allowed_values {
    double lower, upper;
    bool is_angle, is_amplitude, is_period, is_eccentricity;
    bool is_noise, takes_turns; /* noise is above its lower end */
} allowed_values;

static allowed_values values_of(const priors *set, size_t column)
{
    allowed_values domain = {.lower = -INFINITY, .upper = INFINITY};
    const parameter_layout *layout = priors_layout(set);
    parameter_term term = parameter_layout_term(layout, column);
    size_t element = parameter_layout_element(layout, column);
    domain.is_period = element == ELEMENT_PERIOD;
    domain.is_amplitude = element == ELEMENT_K;
    domain.is_eccentricity = element == ELEMENT_ECCENTRICITY;
    domain.is_angle = term == TERM_ORBITS && element >= FIRST_ANGLE_ELEMENT;
    if ((term == TERM_ORBITS && !domain.is_angle) || parameter_term_role(term) == ROLE_NOISE)
        domain.lower = 0.0;
    if (domain.is_eccentricity)
        domain.upper = 1.0;
    domain.is_noise = term == TERM_NOISE;
    if (domain.is_noise) {
        noise_priors_column own =
            noise_priors_at(&layout->noise, column - parameter_layout_first(layout, TERM_NOISE));
        domain.lower = noise_kind_least(own.kind, own.index);
        domain.takes_turns = noise_priors_take_turns(own);
    }
    return domain;
}

/* What keeps a density from being a prior of this parameter; NULL when nothing does. */
static const char *complaint_about(const allowed_values *domain, const prior_density *density)
{
    bool is_fixed = density->kind == PRIOR_FIXED;
    if (domain->is_angle) {
        if (!is_fixed && density->kind != PRIOR_UNIFORM && density->kind != PRIOR_NORMAL)
            return "is none for an angle, which may be fixed, uniform or normal";
        if (density->upper - density->lower > TWO_PI * (1.0 + 1e-12))
            return "is wider than a turn";
        return NULL;
    }
    if (density->kind == PRIOR_FALLING_LIMIT && !domain->is_amplitude)
        return "is a prior of k_m_s alone";
    if (density->kind == PRIOR_TURNS && !domain->takes_turns)
        return "is a prior of decays alone, in noise terms that have a period";
    if (!(density->lower >= domain->lower && density->upper <= domain->upper))
        return "reaches to values that the parameter cannot have";
    if (is_fixed && ((domain->is_period && density->first == 0.0) ||
                     (domain->is_eccentricity && density->first == 1.0) ||
                     (domain->is_noise && density->first == domain->lower)))
        return "is a value that the parameter cannot have";
    return NULL;
}

/* Without bounds a normal angle reaches half a turn to both sides. */
static void bound_angle(prior_density *density)
{
    if (density->kind == PRIOR_NORMAL && isinf(density->lower) && isinf(density->upper))
        *density =
            prior_density_normal(density->first, density->second, density->first - 0.5 * TWO_PI,
                                 density->first + 0.5 * TWO_PI);
}

static equant_status change_column(priors *set, size_t column, const char *text)
{
    allowed_values domain = values_of(set, column);
    prior_density density;
    char misread[PRIOR_COMPLAINT_SIZE];
    const char *complaint = misread;
    if (prior_text_read(text, domain.lower, domain.upper, &density, misread)) {
        if (domain.is_angle)
            bound_angle(&density);
        complaint = complaint_about(&domain, &density);
    }
    if (complaint)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "the prior of %s, \"%.200s\", %s",
                           priors_column_name(set, column), text, complaint);
    set->density[column] = density;
    return EQUANT_SUCCESS;
}

/* True for the name of the column, and for that without its number. */
static bool is_named(const char *column, const char *name)
{
    size_t n = strlen(name);
    if (strncmp(column, name, n) != 0)
        return false;
    return column[n] == '\0' ||
           (column[n] == '_' && strspn(column + n + 1, "0123456789") == strlen(column + n + 1));
}

bool priors_has(const priors *set, const char *parameter)
{
    for (size_t i = 0; i < priors_n_columns(set); i++)
        if (is_named(priors_column_name(set, i), parameter))
            return true;
    return false;
}

equant_status priors_change(priors *set, const char *parameter, const char *text)
{
    bool found = false;
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = 0; status == EQUANT_SUCCESS && i < priors_n_columns(set); i++)
        if (is_named(priors_column_name(set, i), parameter)) {
            found = true;
            status = change_column(set, i, text);
        }
    if (status == EQUANT_SUCCESS && !found)
        status = status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                             "this model has no parameter \"%.100s\"", parameter);
    return status;
}

/* ---- a set for a star ----------------------------------------------------- */

static double mean_velocity(const equant_dataset *dataset, int instrument)
{
    const double *velocity = equant_dataset_velocities_m_s(dataset);
    const double *sigma = equant_dataset_uncertainties_m_s(dataset);
    const int *instruments = equant_dataset_instruments(dataset);
    double sum = 0.0, weights = 0.0;
    for (size_t k = 0; k < equant_dataset_n_obs(dataset); k++)
        if (instruments[k] == instrument) {
            double weight = 1.0 / (sigma[k] * sigma[k]);
            sum += weight * velocity[k];
            weights += weight;
        }
    return weights > 0.0 ? sum / weights : 0.0;
}

static void fill_linear(priors *set, const prior_set *from, const equant_dataset *dataset)
{
    const double *time = equant_dataset_times_days(dataset);
    double limit = from->offset_limit_m_s;
    double span = time[equant_dataset_n_obs(dataset) - 1] - time[0];
    const parameter_columns *columns = priors_layout(set)->columns;
    prior_density *offsets = set->density + columns[TERM_OFFSETS].first;
    prior_density *trend = set->density + columns[TERM_TREND].first;
    for (size_t i = 0; i < columns[TERM_OFFSETS].n; i++) {
        double centre = from->offsets_about_mean ? mean_velocity(dataset, (int)i) : 0.0;
        offsets[i] = prior_density_uniform(centre - limit, centre + limit);
    }
    for (size_t i = 0; i < columns[TERM_TREND].n; i++) {
        limit /= span > 0.0 ? span : 1.0;
        trend[i] = prior_density_uniform(-limit, limit);
    }
}

static equant_status fill(priors *set, const prior_set *from, const noise_priors *noise,
                          const equant_dataset *dataset)
{
    equant_status status = EQUANT_SUCCESS;
    fill_linear(set, from, dataset);
    const parameter_layout *layout = priors_layout(set);
    noise_priors_fill(noise, dataset, set->density + parameter_layout_first(layout, TERM_NOISE));
    for (size_t i = 0; status == EQUANT_SUCCESS && i < layout->n_parameters; i++) {
        parameter_term term = parameter_layout_term(layout, i);
        if (term == TERM_ORBITS)
            status = change_column(set, i, from->elements[parameter_layout_element(layout, i)]);
        else if (term == TERM_JITTERS)
            status = change_column(set, i, from->jitter);
    }
    return status;
}

equant_status priors_create(const priors_options *options, priors **made)
{
    const prior_set *from = NULL;
    noise_priors noise;
    equant_status status = find_set(options->set_name, &from);
    if (status == EQUANT_SUCCESS)
        status = noise_priors_read(options->noise, options->dataset, &noise);
    if (status != EQUANT_SUCCESS)
        return status;
    priors *set = calloc(1, sizeof *set);
    if (!set)
        return status_out_of_memory();
    equant_model_options shape = {.struct_size = sizeof shape,
                                  .n_planets = options->n_planets,
                                  .n_instruments = equant_dataset_n_instruments(options->dataset),
                                  .trend = trend_order_name(options->trend_order),
                                  .offset_columns = EQUANT_NUISANCE_GIVEN,
                                  .trend_columns = EQUANT_NUISANCE_GIVEN,
                                  .with_jitter = 1,
                                  .noise = noise.names};
    status = equant_model_create(&shape, &set->model);
    if (status == EQUANT_SUCCESS) {
        set->density = calloc(priors_n_columns(set), sizeof *set->density);
        status = set->density ? fill(set, from, &noise, options->dataset) : status_out_of_memory();
    }
    if (status != EQUANT_SUCCESS) {
        priors_free(set);
        return status;
    }
    *made = set;
    return EQUANT_SUCCESS;
}

void priors_free(priors *set)
{
    if (!set)
        return;
    equant_model_free(set->model);
    free(set->density);
    free(set);
}

size_t priors_n_columns(const priors *set)
{
    return equant_model_n_parameters(set->model);
}

const char *priors_column_name(const priors *set, size_t column)
{
    return equant_model_parameter_name(set->model, column);
}

const prior_density *priors_of_column(const priors *set, size_t column)
{
    return &set->density[column];
}

const parameter_layout *priors_layout(const priors *set)
{
    return &set->model->layout;
}

const equant_model *priors_model(const priors *set)
{
    return set->model;
}
