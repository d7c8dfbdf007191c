/* The public equant_sky_orbits: tables of published orbits. */
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "data/tables/gaia_rows.h"
#include "data/text_array.h"
#include "data/text_number.h"
#include "equant.h"

#define J2016_JD 2457389.0
#define DEFAULT_ZERO_JD EQUANT_SKY_GAIA_JD

enum { N = EQUANT_SKY_N_PUBLISHED, MOST_PARAMETERS = 15 };

struct equant_sky_orbits {
    size_t n, capacity;
    equant_sky_published *orbits;
};

/* Where A, B, F, G, period, eccentricity and time of pericentre stand among the parameters of a
 * solution: 12 of an astrometric orbit (position, parallax, motion, A, B, F, G, e, P, T), 15 with
 * spectroscopy (C, H and the systemic velocity behind G). */
static const struct {
    size_t n;
    size_t place[N];
} orders[] = {{12, {5, 6, 7, 8, 10, 9, 11}}, {15, {5, 6, 7, 8, 13, 12, 14}}};

static const gaia_word values[N] = {GAIA_WORD_NSS_A,         GAIA_WORD_NSS_B,
                                    GAIA_WORD_NSS_F,         GAIA_WORD_NSS_G,
                                    GAIA_WORD_NSS_PERIOD,    GAIA_WORD_NSS_ECCENTRICITY,
                                    GAIA_WORD_NSS_PERICENTRE};
static const gaia_word errors[N] = {GAIA_WORD_NSS_A_ERROR,         GAIA_WORD_NSS_B_ERROR,
                                    GAIA_WORD_NSS_F_ERROR,         GAIA_WORD_NSS_G_ERROR,
                                    GAIA_WORD_NSS_PERIOD_ERROR,    GAIA_WORD_NSS_ECCENTRICITY_ERROR,
                                    GAIA_WORD_NSS_PERICENTRE_ERROR};

/* The correlations of a row, upper triangle by columns; how many there are. */
static size_t read_correlations(gaia_rows *rows, double *triangle, size_t most)
{
    text_slice cell = gaia_rows_cell(rows, GAIA_WORD_NSS_CORRELATIONS), word;
    size_t n = 0;
    while (text_array_next(&cell, &word)) {
        double value;
        if (!text_number_read(word, &value)) {
            if (!text_array_is_missing(word))
                gaia_rows_refuse(rows, GAIA_WORD_NSS_CORRELATIONS, word, "no number");
            return 0;
        }
        if (n == most)
            return 0;
        triangle[n++] = value;
    }
    return n;
}

static double correlation(const double *triangle, size_t i, size_t j)
{
    size_t low = i < j ? i : j, high = i < j ? j : i;
    return triangle[high * (high - 1) / 2 + low];
}

static void fill_covariance(gaia_rows *rows, equant_sky_published *orbit)
{
    double triangle[MOST_PARAMETERS * (MOST_PARAMETERS - 1) / 2], error[N];
    size_t n = read_correlations(rows, triangle, sizeof triangle / sizeof *triangle);
    for (int i = 0; i < N; i++) {
        error[i] = gaia_rows_number(rows, errors[i]);
        error[i] = error[i] > 0.0 ? error[i] : 0.0; /* a circle has none of its shape */
        orbit->covariance[i * N + i] = error[i] * error[i];
    }
    for (size_t k = 0; k < sizeof orders / sizeof *orders; k++) {
        if (n != orders[k].n * (orders[k].n - 1) / 2)
            continue;
        orbit->has_correlations = 1;
        for (int i = 0; i < N; i++)
            for (int j = 0; j < N; j++)
                if (i != j)
                    orbit->covariance[i * N + j] =
                        error[i] * error[j] *
                        correlation(triangle, orders[k].place[i], orders[k].place[j]);
    }
}

/* An orbit that is none is refused; one without a period or a shape is of another kind. */
static equant_status check(const gaia_rows *rows, const equant_sky_published *orbit)
{
    if (orbit->period_days <= 0.0)
        return status_fail(EQUANT_ERROR_FORMAT, "%s: a period of %g days; it must be positive",
                           gaia_rows_place(rows), orbit->period_days);
    if (orbit->eccentricity < 0.0 || orbit->eccentricity >= 1.0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: an eccentricity of %g; it must be at least 0 and below 1",
                           gaia_rows_place(rows), orbit->eccentricity);
    return EQUANT_SUCCESS;
}

static equant_status append(const equant_sky_published *orbit, equant_sky_orbits *list)
{
    if (list->n == list->capacity) {
        size_t more = 2 * list->capacity + 64;
        void *grown = realloc(list->orbits, more * sizeof *list->orbits);
        if (grown == NULL)
            return status_out_of_memory();
        list->orbits = grown;
        list->capacity = more;
    }
    list->orbits[list->n++] = *orbit;
    return EQUANT_SUCCESS;
}

static equant_status add_row(gaia_rows *rows, const equant_sky_sources *sources,
                             equant_sky_orbits *list)
{
    equant_sky_published orbit = {.struct_size = sizeof orbit};
    double own[N];
    equant_status status = gaia_rows_id(rows, GAIA_WORD_NSS_SOURCE_ID, &orbit.source_id);
    if (status != EQUANT_SUCCESS || orbit.source_id == 0)
        return status;
    text_slice digits = gaia_rows_cell(rows, GAIA_WORD_NSS_SOURCE_ID);
    text_slice type = gaia_rows_cell(rows, GAIA_WORD_NSS_TYPE);
    char id[24] = "";
    memcpy(id, digits.start, digits.n < sizeof id ? digits.n : sizeof id - 1);
    orbit.source_id = equant_sky_sources_id(sources, id);
    text_slice dr3_type = gaia_rows_cell(rows, GAIA_WORD_NSS_DR3_TYPE);
    bool is_dr3 = type.n == 0 && dr3_type.n > 0;
    type = is_dr3 ? dr3_type : type;
    text_show(type, orbit.solution_type, sizeof orbit.solution_type);
    for (int i = 0; i < N; i++)
        own[i] = gaia_rows_number(rows, values[i]);
    memcpy(orbit.thiele_innes_mas, own, 4 * sizeof *own);
    orbit.period_days = own[4];
    orbit.eccentricity = isnan(own[5]) ? 0.0 : own[5];
    orbit.t_peri_jd = own[6] + (is_dr3 ? J2016_JD : DEFAULT_ZERO_JD);
    orbit.is_on_sky = isfinite(own[0] + own[1] + own[2] + own[3] + own[4] + own[6]);
    fill_covariance(rows, &orbit);
    status = check(rows, &orbit);
    return status == EQUANT_SUCCESS ? append(&orbit, list) : status;
}

/* By number, then as they were read: the sort is made stable by merging. */
static equant_status sort(equant_sky_orbits *list)
{
    equant_sky_published *from = list->orbits, *to = malloc((list->n + 1) * sizeof *to);
    if (to == NULL)
        return status_out_of_memory();
    for (size_t width = 1; width < list->n; width *= 2) {
        for (size_t first = 0; first < list->n; first += 2 * width) {
            size_t middle = first + width < list->n ? first + width : list->n;
            size_t end = middle + width < list->n ? middle + width : list->n;
            for (size_t k = first, i = first, j = middle; k < end; k++)
                to[k] = j == end || (i < middle && from[i].source_id <= from[j].source_id)
                            ? from[i++]
                            : from[j++];
        }
        equant_sky_published *swap = from;
        from = to;
        to = swap;
    }
    free(to);
    list->orbits = from;
    list->capacity = list->n;
    return EQUANT_SUCCESS;
}

equant_status equant_sky_orbits_read(const char *path, const equant_sky_sources *sources,
                                     equant_sky_orbits **orbits)
{
    static const gaia_word needed[] = {GAIA_WORD_NSS_SOURCE_ID, GAIA_WORD_NSS_PERIOD};
    if (path == NULL || orbits == NULL)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "published orbits need the name of a file and a place for them");
    gaia_rows *rows = NULL;
    bool is_there = true;
    equant_sky_orbits *made = calloc(1, sizeof *made);
    equant_status status = made ? EQUANT_SUCCESS : status_out_of_memory();
    if (status == EQUANT_SUCCESS)
        status = gaia_rows_open(path, GAIA_PUBLISHED_ORBITS, 2, needed, &rows);
    while (status == EQUANT_SUCCESS && is_there) {
        status = gaia_rows_next(rows, &is_there);
        if (status == EQUANT_SUCCESS && is_there)
            status = add_row(rows, sources, made);
    }
    gaia_rows_close(rows);
    if (status == EQUANT_SUCCESS && made->n == 0)
        status = status_fail(EQUANT_ERROR_FORMAT, "%s: there are no orbits", path);
    if (status == EQUANT_SUCCESS)
        status = sort(made);
    if (status == EQUANT_SUCCESS)
        *orbits = made;
    else
        equant_sky_orbits_free(made);
    return status;
}

void equant_sky_orbits_free(equant_sky_orbits *orbits)
{
    if (orbits == NULL)
        return;
    free(orbits->orbits);
    free(orbits);
}

size_t equant_sky_orbits_n(const equant_sky_orbits *orbits)
{
    return orbits ? orbits->n : 0;
}

equant_status equant_sky_orbits_at(const equant_sky_orbits *orbits, size_t index,
                                   equant_sky_published *orbit)
{
    equant_status status = OPTIONS_CHECK(orbit);
    if (status != EQUANT_SUCCESS)
        return status;
    if (orbits == NULL || index >= orbits->n)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no such orbit");
    OPTIONS_FILL(orbits->orbits[index], orbit);
    return EQUANT_SUCCESS;
}

size_t equant_sky_orbits_find(const equant_sky_orbits *orbits, int64_t source_id, size_t *n)
{
    size_t low = 0, high = orbits ? orbits->n : 0, end;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (orbits->orbits[middle].source_id < source_id)
            low = middle + 1;
        else
            high = middle;
    }
    for (end = low; orbits && end < orbits->n && orbits->orbits[end].source_id == source_id;)
        end++;
    if (n)
        *n = end - low;
    return low;
}
