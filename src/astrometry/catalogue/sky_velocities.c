/* The public equant_sky_velocities: stars by the numbers of their sources, each a list of stretches
 * of common arrays. */
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#include "astrometry/solution/sky_data.h"
#include "core/status_fail.h"

enum { SENTENCE_LENGTH = 512, NAME_LENGTH = 128, MOST_WARNINGS = 64 };

/* Observations of one file of a star; `next` is the stretch behind it, SIZE_MAX none. */
typedef struct stretch {
    size_t first, n, next;
} stretch;

typedef struct star_entry {
    int64_t source_id;
    size_t first, last; /* stretches */
    size_t n;           /* observations */
} star_entry;

typedef struct observation {
    double jd, velocity, uncertainty;
} observation;

struct equant_sky_velocities {
    size_t n_stars, stars_capacity;
    star_entry *stars;
    size_t n_stretches, stretches_capacity;
    stretch *stretches;
    size_t n, capacity;
    observation *observations;
    int *instruments; /* [capacity], of the names */
    size_t n_names, names_capacity;
    char **names;
    size_t n_places, *places; /* a power of two: stars + 1 by hash of their numbers; 0: free */
    size_t n_unknown, n_failed, n_warnings;
    char unknown[NAME_LENGTH], failure[SENTENCE_LENGTH];
    char *warnings[MOST_WARNINGS];
};

/* ---- memory ---------------------------------------------------------------------------------- */

static equant_status grow(void **array, size_t n_wanted, size_t *capacity, size_t size)
{
    if (n_wanted <= *capacity)
        return EQUANT_SUCCESS;
    size_t more = 2 * *capacity + n_wanted;
    void *grown = realloc(*array, more * size);
    if (grown == NULL)
        return status_out_of_memory();
    *array = grown;
    *capacity = more;
    return EQUANT_SUCCESS;
}

static equant_status grow_observations(equant_sky_velocities *list, size_t n_wanted)
{
    size_t capacity = list->capacity;
    equant_status status =
        grow((void **)&list->observations, n_wanted, &list->capacity, sizeof *list->observations);
    if (status == EQUANT_SUCCESS)
        status = grow((void **)&list->instruments, n_wanted, &capacity, sizeof *list->instruments);
    return status;
}

void equant_sky_velocities_free(equant_sky_velocities *velocities)
{
    if (velocities == NULL)
        return;
    for (size_t i = 0; i < velocities->n_names; i++)
        free(velocities->names[i]);
    for (size_t i = 0; i < velocities->n_warnings; i++)
        free(velocities->warnings[i]);
    free(velocities->names);
    free(velocities->stars);
    free(velocities->stretches);
    free(velocities->observations);
    free(velocities->instruments);
    free(velocities->places);
    free(velocities);
}

/* ---- numbers of sources ---------------------------------------------------------------------- */

/* Where a source stands, or where it would (Fibonacci hashing). */
static size_t place_of(const equant_sky_velocities *list, int64_t source_id)
{
    size_t at =
        (size_t)(((uint64_t)source_id * 11400714819323198485u) >> 20) & (list->n_places - 1);
    while (list->places[at] != 0 && list->stars[list->places[at] - 1].source_id != source_id)
        at = (at + 1) & (list->n_places - 1);
    return at;
}

static equant_status grow_places(equant_sky_velocities *list)
{
    if (list->n_places > 2 * list->n_stars + 2)
        return EQUANT_SUCCESS;
    size_t n = list->n_places > 0 ? 2 * list->n_places : 1024;
    size_t *places = calloc(n, sizeof *places);
    if (places == NULL)
        return status_out_of_memory();
    free(list->places);
    list->places = places;
    list->n_places = n;
    for (size_t i = 0; i < list->n_stars; i++)
        list->places[place_of(list, list->stars[i].source_id)] = i + 1;
    return EQUANT_SUCCESS;
}

size_t equant_sky_velocities_find(const equant_sky_velocities *velocities, int64_t source_id)
{
    if (velocities == NULL || velocities->n_places == 0)
        return SIZE_MAX;
    return velocities->places[place_of(velocities, source_id)] - 1; /* 0 - 1: none */
}

/* The star of a source, new or known. */
static equant_status star_of(equant_sky_velocities *list, int64_t source_id, size_t *star)
{
    equant_status status = grow_places(list);
    if (status != EQUANT_SUCCESS)
        return status;
    *star = equant_sky_velocities_find(list, source_id);
    if (*star != SIZE_MAX)
        return EQUANT_SUCCESS;
    status =
        grow((void **)&list->stars, list->n_stars + 1, &list->stars_capacity, sizeof *list->stars);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t place = place_of(list, source_id);
    *star = list->n_stars++;
    list->stars[*star] = (star_entry){source_id, SIZE_MAX, SIZE_MAX, 0};
    list->places[place] = *star + 1;
    return EQUANT_SUCCESS;
}

/* ---- reading --------------------------------------------------------------------------------- */

static equant_status name_of(equant_sky_velocities *list, const char *name, int *number)
{
    for (size_t i = list->n_names; i-- > 0;)
        if (strcmp(list->names[i], name) == 0) {
            *number = (int)i;
            return EQUANT_SUCCESS;
        }
    equant_status status =
        grow((void **)&list->names, list->n_names + 1, &list->names_capacity, sizeof *list->names);
    char *copy = status == EQUANT_SUCCESS ? strdup(name) : NULL;
    if (copy == NULL)
        return status_out_of_memory();
    *number = (int)list->n_names;
    list->names[list->n_names++] = copy;
    return EQUANT_SUCCESS;
}

/* A stretch of a star with the observations of a data set. */
static equant_status add_dataset(equant_sky_velocities *list, size_t star,
                                 const equant_dataset *dataset)
{
    size_t n = equant_dataset_n_obs(dataset);
    equant_status status = grow_observations(list, list->n + n);
    if (status == EQUANT_SUCCESS)
        status = grow((void **)&list->stretches, list->n_stretches + 1, &list->stretches_capacity,
                      sizeof *list->stretches);
    for (size_t k = 0; k < n && status == EQUANT_SUCCESS; k++) {
        int own = equant_dataset_instruments(dataset)[k];
        list->observations[list->n + k] =
            (observation){sky_data_velocity_jd(dataset, equant_dataset_times_days(dataset)[k]),
                          equant_dataset_velocities_m_s(dataset)[k],
                          equant_dataset_uncertainties_m_s(dataset)[k]};
        status = name_of(list, equant_dataset_instrument_name(dataset, (size_t)own),
                         &list->instruments[list->n + k]);
    }
    if (status != EQUANT_SUCCESS)
        return status;
    star_entry *entry = list->stars + star;
    if (entry->first == SIZE_MAX)
        entry->first = list->n_stretches;
    else
        list->stretches[entry->last].next = list->n_stretches;
    entry->last = list->n_stretches;
    entry->n += n;
    list->stretches[list->n_stretches++] = (stretch){list->n, n, SIZE_MAX};
    list->n += n;
    return EQUANT_SUCCESS;
}

static equant_status note_warnings(equant_sky_velocities *list, const equant_dataset *dataset)
{
    for (size_t i = 0; i < equant_dataset_n_warnings(dataset); i++) {
        if (list->n_warnings == MOST_WARNINGS)
            return EQUANT_SUCCESS;
        char *copy = strdup(equant_dataset_warning(dataset, i));
        if (copy == NULL)
            return status_out_of_memory();
        list->warnings[list->n_warnings++] = copy;
    }
    return EQUANT_SUCCESS;
}

static void note(char *to, size_t size, const char *text)
{
    size_t n = strlen(text) < size ? strlen(text) : size - 1;
    if (to[0] != '\0')
        return;
    memcpy(to, text, n);
    to[n] = '\0';
}

static equant_status take_star(equant_sky_velocities *list, const equant_sky_sources *sources,
                               const char *name, const equant_dataset *dataset)
{
    size_t star;
    int64_t source_id = equant_sky_sources_id(sources, name);
    if (source_id == 0) {
        list->n_unknown++;
        note(list->unknown, sizeof list->unknown, name);
        return EQUANT_SUCCESS;
    }
    equant_status status = star_of(list, source_id, &star);
    return status == EQUANT_SUCCESS ? add_dataset(list, star, dataset) : status;
}

static equant_status read_file(const char *path, const equant_sky_velocities_options *options,
                               bool is_mixed, equant_sky_velocities *list)
{
    const equant_dataset_options *reading =
        OPTION_OR_ZERO(options, equant_sky_velocities_options, reading);
    const equant_sky_sources *sources =
        OPTION_OR_ZERO(options, equant_sky_velocities_options, sources);
    equant_star_stream *stream = NULL;
    char failure[SENTENCE_LENGTH] = "";
    size_t n_failed = 0;
    bool has_any = false, is_at_end = false;
    equant_status status = equant_star_stream_open(path, reading, &stream);
    while (status == EQUANT_SUCCESS && !is_at_end) {
        equant_dataset *dataset = NULL;
        status = equant_star_stream_next(stream, &dataset);
        const char *name = equant_star_stream_name(stream);
        is_at_end = status == EQUANT_SUCCESS && dataset == NULL;
        bool is_passed = status != EQUANT_SUCCESS && status != EQUANT_ERROR_OUT_OF_MEMORY &&
                         (is_mixed || name != NULL);
        if (is_passed && !is_mixed && n_failed++ == 0)
            note(failure, sizeof failure, equant_last_error());
        if (is_passed)
            status = EQUANT_SUCCESS;
        if (status == EQUANT_SUCCESS && dataset != NULL && !has_any) {
            status = note_warnings(list, dataset);
            has_any = true;
        }
        if (status == EQUANT_SUCCESS && dataset != NULL)
            status = take_star(list, sources, name, dataset);
        equant_dataset_free(dataset);
    }
    equant_star_stream_free(stream);
    if (status == EQUANT_SUCCESS && n_failed > 0 && !has_any) /* it has been misunderstood */
        return status_fail(EQUANT_ERROR_FORMAT, "%s", failure);
    list->n_failed += n_failed;
    if (n_failed > 0)
        note(list->failure, sizeof list->failure, failure);
    return is_mixed && status != EQUANT_ERROR_OUT_OF_MEMORY ? EQUANT_SUCCESS : status;
}

equant_status equant_sky_velocities_read(size_t n_paths, const char *const *paths,
                                         const equant_sky_velocities_options *options,
                                         equant_sky_velocities **velocities)
{
    if (velocities == NULL || (n_paths > 0 && paths == NULL))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "velocities of many stars need names of files and a place for them");
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    size_t n_mixed = OPTION_OR_ZERO(options, equant_sky_velocities_options, n_mixed);
    equant_sky_velocities *made = calloc(1, sizeof *made);
    if (made == NULL)
        return status_out_of_memory();
    for (size_t i = 0; i < n_paths && status == EQUANT_SUCCESS; i++)
        status = read_file(paths[i], options, i < n_mixed, made);
    if (status == EQUANT_SUCCESS)
        *velocities = made;
    else
        equant_sky_velocities_free(made);
    return status;
}

/* ---- stars ----------------------------------------------------------------------------------- */

size_t equant_sky_velocities_n(const equant_sky_velocities *velocities)
{
    return velocities ? velocities->n_stars : 0;
}

int64_t equant_sky_velocities_source_id(const equant_sky_velocities *velocities, size_t index)
{
    return velocities && index < velocities->n_stars ? velocities->stars[index].source_id : 0;
}

/* Arrays of one star, with the instruments that it has numbered from zero. */
typedef struct star_arrays {
    double *times, *velocities, *uncertainties;
    int *instruments, *numbers; /* numbers: of the instruments of all stars; -1: not of this one */
    const char **names;
    size_t n_names;
} star_arrays;

static void fill(const equant_sky_velocities *list, const star_entry *star, star_arrays *arrays)
{
    size_t k = 0;
    for (size_t i = 0; i < list->n_names; i++)
        arrays->numbers[i] = -1;
    for (size_t at = star->first; at != SIZE_MAX; at = list->stretches[at].next)
        for (size_t i = 0; i < list->stretches[at].n; i++, k++) {
            size_t row = list->stretches[at].first + i;
            int *number = &arrays->numbers[list->instruments[row]];
            if (*number < 0) {
                *number = (int)arrays->n_names;
                arrays->names[arrays->n_names++] = list->names[list->instruments[row]];
            }
            arrays->times[k] = list->observations[row].jd;
            arrays->velocities[k] = list->observations[row].velocity;
            arrays->uncertainties[k] = list->observations[row].uncertainty;
            arrays->instruments[k] = *number;
        }
}

equant_status equant_sky_velocities_dataset(const equant_sky_velocities *velocities, size_t index,
                                            equant_dataset **dataset)
{
    if (velocities == NULL || dataset == NULL || index >= velocities->n_stars)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there are no velocities of such a star");
    const star_entry *star = velocities->stars + index;
    const equant_dataset_options options = {.struct_size = sizeof options, .time_name = "BJD"};
    star_arrays arrays = {.times = malloc(3 * star->n * sizeof *arrays.times),
                          .instruments = malloc(star->n * sizeof *arrays.instruments),
                          .numbers = malloc(velocities->n_names * sizeof *arrays.numbers),
                          .names = malloc(velocities->n_names * sizeof *arrays.names)};
    equant_status status = EQUANT_SUCCESS;
    if (!arrays.times || !arrays.instruments || !arrays.numbers || !arrays.names)
        status = status_out_of_memory();
    if (status == EQUANT_SUCCESS) {
        arrays.velocities = arrays.times + star->n;
        arrays.uncertainties = arrays.velocities + star->n;
        fill(velocities, star, &arrays);
        status = equant_dataset_from_arrays(star->n, arrays.times, arrays.velocities,
                                            arrays.uncertainties, arrays.instruments,
                                            arrays.n_names, arrays.names, &options, dataset);
    }
    free(arrays.times);
    free(arrays.instruments);
    free(arrays.numbers);
    free((void *)arrays.names);
    return status;
}

/* ---- what was told --------------------------------------------------------------------------- */

size_t equant_sky_velocities_n_unknown(const equant_sky_velocities *velocities)
{
    return velocities ? velocities->n_unknown : 0;
}

const char *equant_sky_velocities_unknown(const equant_sky_velocities *velocities)
{
    return velocities ? velocities->unknown : "";
}

size_t equant_sky_velocities_n_failed(const equant_sky_velocities *velocities)
{
    return velocities ? velocities->n_failed : 0;
}

const char *equant_sky_velocities_failure(const equant_sky_velocities *velocities)
{
    return velocities ? velocities->failure : "";
}

const char *equant_sky_velocities_warning(const equant_sky_velocities *velocities, size_t index)
{
    return velocities && index < velocities->n_warnings ? velocities->warnings[index] : NULL;
}
