/* The public equant_sky_sources: tables of sources as a sorted list. */
#include <errno.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "data/tables/gaia_rows.h"
#include "data/text_number.h"
#include "equant.h"

/* A number of DR3 and the source that it became, or a name and its source. */
typedef struct dr3_match {
    int64_t dr3_id, source_id;
    double distance; /* smaller is better: probable ones are negative */
} dr3_match;

typedef struct source_name {
    char *name;
    int64_t source_id;
} source_name;

struct equant_sky_sources {
    size_t n, capacity;
    equant_sky_source *rows;
    size_t n_matches, matches_capacity;
    dr3_match *matches;
    size_t n_names, names_capacity;
    source_name *names;
};

/* Room for one entry more in an array. */
static equant_status grow(void **array, size_t n, size_t *capacity, size_t size)
{
    if (n < *capacity)
        return EQUANT_SUCCESS;
    size_t more = 2 * *capacity + 64;
    void *grown = realloc(*array, more * size);
    if (grown == NULL)
        return status_out_of_memory();
    *array = grown;
    *capacity = more;
    return EQUANT_SUCCESS;
}

/* ---- reading -------------------------------------------------------------------------------- */

static double mass_error(gaia_rows *rows)
{
    double error = gaia_rows_number(rows, GAIA_WORD_LIST_MASS_ERROR);
    double lower = gaia_rows_number(rows, GAIA_WORD_LIST_MASS_LOWER);
    double upper = gaia_rows_number(rows, GAIA_WORD_LIST_MASS_UPPER);
    return isnan(error) ? 0.5 * (upper - lower) : error;
}

static equant_status add_match(gaia_rows *rows, int64_t source_id, int64_t dr3_id,
                               equant_sky_sources *list)
{
    double distance = gaia_rows_number(rows, GAIA_WORD_LIST_DISTANCE);
    distance = isnan(distance) ? 0.0 : distance;
    if (gaia_rows_flag(rows, GAIA_WORD_LIST_PROBABLE) == 1)
        distance = -1.0 / (1.0 + distance);
    equant_status status = grow((void **)&list->matches, list->n_matches, &list->matches_capacity,
                                sizeof *list->matches);
    if (status == EQUANT_SUCCESS)
        list->matches[list->n_matches++] = (dr3_match){dr3_id, source_id, distance};
    return status;
}

static equant_status add_name(text_slice name, int64_t source_id, equant_sky_sources *list)
{
    equant_status status =
        grow((void **)&list->names, list->n_names, &list->names_capacity, sizeof *list->names);
    char *copy = status == EQUANT_SUCCESS ? strndup(name.start, name.n) : NULL;
    if (copy == NULL)
        return status_out_of_memory();
    list->names[list->n_names++] = (source_name){copy, source_id};
    return EQUANT_SUCCESS;
}

/* A class from 0 to 99, or a flag. */
static int class_of(gaia_rows *rows, gaia_word word)
{
    double number;
    return text_number_read(gaia_rows_cell(rows, word), &number) && number >= 0.0 && number < 100.0
               ? (int)number
               : gaia_rows_flag(rows, word);
}

static equant_status add_row(gaia_rows *rows, equant_sky_sources *list)
{
    equant_sky_source found = {.struct_size = sizeof found};
    equant_status status = gaia_rows_id(rows, GAIA_WORD_LIST_SOURCE_ID, &found.source_id);
    if (status == EQUANT_SUCCESS)
        status = gaia_rows_id(rows, GAIA_WORD_LIST_DR3_ID, &found.dr3_source_id);
    if (status != EQUANT_SUCCESS || found.source_id == 0)
        return status;
    found.has_epoch_astrometry = gaia_rows_flag(rows, GAIA_WORD_LIST_HAS_ASTROMETRY);
    found.has_epoch_rvs = class_of(rows, GAIA_WORD_LIST_HAS_VELOCITIES);
    found.parallax_bias_mas = gaia_rows_number(rows, GAIA_WORD_LIST_BIAS);
    found.star_mass = gaia_rows_number(rows, GAIA_WORD_LIST_MASS);
    found.star_mass_err = mass_error(rows);
    found.ks_mag = gaia_rows_number(rows, GAIA_WORD_LIST_KS);
    if (isfinite(found.star_mass) && !(found.star_mass > 0.0))
        return status_fail(EQUANT_ERROR_FORMAT, "%s: a star of %g solar masses",
                           gaia_rows_place(rows), found.star_mass);
    text_slice name = gaia_rows_cell(rows, GAIA_WORD_LIST_NAME);
    if (name.n > 0)
        status = add_name(name, found.source_id, list);
    if (status == EQUANT_SUCCESS && found.dr3_source_id != 0)
        status = add_match(rows, found.source_id, found.dr3_source_id, list);
    if (status == EQUANT_SUCCESS)
        status = grow((void **)&list->rows, list->n, &list->capacity, sizeof *list->rows);
    if (status == EQUANT_SUCCESS)
        list->rows[list->n++] = found;
    return status;
}

static equant_status read_table(const char *path, equant_sky_sources *list)
{
    static const gaia_word needed[] = {GAIA_WORD_LIST_SOURCE_ID};
    gaia_rows *rows = NULL;
    bool is_there = true;
    equant_status status = gaia_rows_open(path, GAIA_SOURCE_LIST, 1, needed, &rows);
    while (status == EQUANT_SUCCESS && is_there) {
        status = gaia_rows_next(rows, &is_there);
        if (status == EQUANT_SUCCESS && is_there)
            status = add_row(rows, list);
    }
    gaia_rows_close(rows);
    return status;
}

/* ---- the list ------------------------------------------------------------------------------- */

static int compare_ids(int64_t a, int64_t b)
{
    return a < b ? -1 : a > b;
}

/* Rows of one source stay in the order in which they were read: they lie in one array. */
static int compare_rows(const void *a, const void *b)
{
    const equant_sky_source *const *one = a, *const *other = b;
    int order = compare_ids((*one)->source_id, (*other)->source_id);
    return order != 0 ? order : *one < *other ? -1 : *one > *other;
}

static int compare_matches(const void *a, const void *b)
{
    const dr3_match *one = a, *other = b;
    int order = compare_ids(one->dr3_id, other->dr3_id);
    if (order == 0)
        order = one->distance < other->distance ? -1 : one->distance > other->distance;
    return order != 0 ? order : compare_ids(one->source_id, other->source_id);
}

static int compare_names(const void *a, const void *b)
{
    return strcmp(((const source_name *)a)->name, ((const source_name *)b)->name);
}

static void take_number(double from, double *to)
{
    *to = isnan(from) ? *to : from;
}

static void join(const equant_sky_source *from, equant_sky_source *to)
{
    to->dr3_source_id = from->dr3_source_id != 0 ? from->dr3_source_id : to->dr3_source_id;
    if (from->has_epoch_astrometry >= 0)
        to->has_epoch_astrometry = from->has_epoch_astrometry;
    if (from->has_epoch_rvs >= 0)
        to->has_epoch_rvs = from->has_epoch_rvs;
    take_number(from->parallax_bias_mas, &to->parallax_bias_mas);
    if (isfinite(from->star_mass))
        to->star_mass_err = from->star_mass_err;
    take_number(from->star_mass, &to->star_mass);
    take_number(from->ks_mag, &to->ks_mag);
}

/* Sorts, and makes one row of all that are of one source. */
static equant_status settle(equant_sky_sources *list)
{
    const equant_sky_source **order = malloc((list->n + 1) * sizeof *order);
    equant_sky_source *rows = malloc((list->n + 1) * sizeof *rows);
    size_t n = 0;
    if (order == NULL || rows == NULL) {
        free((void *)order);
        free(rows);
        return status_out_of_memory();
    }
    for (size_t i = 0; i < list->n; i++)
        order[i] = list->rows + i;
    qsort((void *)order, list->n, sizeof *order, compare_rows);
    for (size_t i = 0; i < list->n; i++) {
        if (n > 0 && rows[n - 1].source_id == order[i]->source_id)
            join(order[i], &rows[n - 1]);
        else
            rows[n++] = *order[i];
    }
    free((void *)order);
    free(list->rows);
    list->rows = rows;
    list->n = list->capacity = n;
    if (list->n_matches > 0)
        qsort(list->matches, list->n_matches, sizeof *list->matches, compare_matches);
    if (list->n_names > 0)
        qsort(list->names, list->n_names, sizeof *list->names, compare_names);
    return EQUANT_SUCCESS;
}

equant_status equant_sky_sources_read(size_t n_paths, const char *const *paths,
                                      equant_sky_sources **sources)
{
    if (sources == NULL || (n_paths > 0 && paths == NULL))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a list of sources needs names of files and a place for it");
    equant_sky_sources *made = calloc(1, sizeof *made);
    equant_status status = made ? EQUANT_SUCCESS : status_out_of_memory();
    for (size_t i = 0; i < n_paths && status == EQUANT_SUCCESS; i++)
        status = read_table(paths[i], made);
    if (status == EQUANT_SUCCESS)
        status = settle(made);
    if (status == EQUANT_SUCCESS)
        *sources = made;
    else
        equant_sky_sources_free(made);
    return status;
}

void equant_sky_sources_free(equant_sky_sources *sources)
{
    if (sources == NULL)
        return;
    for (size_t i = 0; i < sources->n_names; i++)
        free(sources->names[i].name);
    free(sources->names);
    free(sources->matches);
    free(sources->rows);
    free(sources);
}

size_t equant_sky_sources_n(const equant_sky_sources *sources)
{
    return sources ? sources->n : 0;
}

equant_status equant_sky_sources_at(const equant_sky_sources *sources, size_t index,
                                    equant_sky_source *source)
{
    equant_status status = OPTIONS_CHECK(source);
    if (status != EQUANT_SUCCESS)
        return status;
    if (sources == NULL || index >= sources->n)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no such source in the list");
    OPTIONS_FILL(sources->rows[index], source);
    return EQUANT_SUCCESS;
}

/* The first place whose number is not below one. */
static size_t place_of(const equant_sky_sources *sources, int64_t id)
{
    size_t low = 0, high = sources->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sources->rows[middle].source_id < id)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static bool has(const equant_sky_sources *sources, size_t place, int64_t id)
{
    return place < sources->n && sources->rows[place].source_id == id;
}

int equant_sky_sources_find(const equant_sky_sources *sources, int64_t source_id,
                            equant_sky_source *source)
{
    if (sources == NULL || source == NULL || OPTIONS_CHECK(source) != EQUANT_SUCCESS)
        return 0;
    size_t place = place_of(sources, source_id);
    if (!has(sources, place, source_id))
        return 0;
    OPTIONS_FILL(sources->rows[place], source);
    return 1;
}

static int64_t from_dr3(const equant_sky_sources *sources, int64_t dr3_id)
{
    size_t low = 0, high = sources->n_matches;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (sources->matches[middle].dr3_id < dr3_id)
            low = middle + 1;
        else
            high = middle;
    }
    return low < sources->n_matches && sources->matches[low].dr3_id == dr3_id
               ? sources->matches[low].source_id
               : 0;
}

int64_t equant_sky_sources_id(const equant_sky_sources *sources, const char *name)
{
    char *end;
    if (name == NULL || name[0] == '\0')
        return 0;
    errno = 0;
    long long number = strtoll(name, &end, 10);
    if (*end == '\0' && errno == 0 && number > 0) {
        int64_t matched = 0;
        if (sources != NULL && !has(sources, place_of(sources, number), number))
            matched = from_dr3(sources, number);
        return matched != 0 ? matched : number;
    }
    source_name wanted = {(char *)name, 0}, *found = NULL;
    if (sources != NULL && sources->n_names > 0)
        found = bsearch(&wanted, sources->names, sources->n_names, sizeof wanted, compare_names);
    return found != NULL ? found->source_id : 0;
}

double equant_sky_mass_from_ks(double ks_mag, double parallax_mas, double *error)
{
    static const double a[] = {-0.642, -0.208, -8.43e-4, 7.87e-3, 1.42e-4, -2.13e-4};
    const double scatter = 0.022, brightest = 4.0, faintest = 11.0, zero = 7.5;
    double absolute = ks_mag + 5.0 * log10(parallax_mas) - 10.0, log_mass = 0.0, mass = NAN;
    if (parallax_mas > 0.0 && absolute >= brightest && absolute <= faintest) {
        for (int i = 5; i >= 0; i--)
            log_mass = log_mass * (absolute - zero) + a[i];
        mass = pow(10.0, log_mass);
    }
    if (error != NULL)
        *error = scatter * mass;
    return mass;
}
