#include "stars/star_outliers.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "stars/star_result.h"
#include "terminal/messages.h"
#include "terminal/spoken_number.h"
#include "terminal/text_line.h"

void star_outliers_free(struct star_outliers *outliers)
{
    for (size_t i = 0; i < outliers->n; i++)
        free(outliers->list[i].rows);
    free(outliers->list);
    free(outliers->uncertainties_m_s);
    *outliers = (struct star_outliers){0};
}

static struct star_outlier *add(struct star_outliers *outliers)
{
    struct star_outlier *grown =
        realloc(outliers->list, (outliers->n + 1) * sizeof *outliers->list);
    if (grown == NULL)
        return NULL;
    outliers->list = grown;
    grown[outliers->n] = (struct star_outlier){0};
    return &grown[outliers->n++];
}

static bool add_row(struct star_outlier *outlier, size_t row)
{
    size_t *grown = realloc(outlier->rows, (outlier->n_rows + 1) * sizeof *grown);
    if (grown == NULL)
        return false;
    outlier->rows = grown;
    grown[outlier->n_rows++] = row;
    return true;
}

static int collect_one(const struct star_result *star, size_t index, struct star_outlier *own)
{
    equant_fitted_outlier known = {.struct_size = sizeof known};
    equant_status status = equant_fit_outlier(star->fit, index, &known);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    own->is_night = known.is_night != 0;
    own->deviation_m_s = known.deviation_m_s;
    own->expected_m_s = known.expected_m_s;
    own->widening_m_s = known.widening_m_s;
    for (size_t i = 0; i < known.n_rows; i++)
        if (!add_row(own, known.rows[i]))
            return messages_out_of_memory();
    return EXIT_CODE_OK;
}

/* The errors, wider. */
static int widen(struct star_result *star)
{
    struct star_outliers *own = &star->outliers;
    size_t n = equant_dataset_n_obs(star->dataset);
    if (own->n == 0)
        return EXIT_CODE_OK;
    own->uncertainties_m_s = calloc(n, sizeof *own->uncertainties_m_s);
    if (own->uncertainties_m_s == NULL)
        return messages_out_of_memory();
    memcpy(own->uncertainties_m_s, equant_dataset_uncertainties_m_s(star->dataset),
           n * sizeof *own->uncertainties_m_s);
    for (size_t i = 0; i < own->n; i++)
        for (size_t j = 0; j < own->list[i].n_rows; j++)
            if (own->list[i].rows[j] < n) {
                double *sigma = &own->uncertainties_m_s[own->list[i].rows[j]];
                *sigma = hypot(*sigma, own->list[i].widening_m_s);
            }
    return EXIT_CODE_OK;
}

int star_outliers_collect(struct star_result *star)
{
    int code = EXIT_CODE_OK;
    for (size_t i = 0; i < equant_fit_n_outliers(star->fit) && code == EXIT_CODE_OK; i++) {
        struct star_outlier *own = add(&star->outliers);
        code = own == NULL ? messages_out_of_memory() : collect_one(star, i, own);
    }
    return code == EXIT_CODE_OK ? widen(star) : code;
}

bool star_outliers_has(const struct star_outliers *outliers, size_t row)
{
    for (size_t i = 0; i < outliers->n; i++)
        for (size_t j = 0; j < outliers->list[i].n_rows; j++)
            if (outliers->list[i].rows[j] == row)
                return true;
    return false;
}

static double time_of(const struct star_result *star, const struct star_outlier *outlier)
{
    const double *time_days = equant_dataset_times_days(star->dataset);
    double mean = 0.0;
    for (size_t i = 0; i < outlier->n_rows; i++)
        mean += (time_days[outlier->rows[i]] - mean) / (double)(i + 1);
    return mean;
}

static const char *instrument_of(const struct star_result *star, const struct star_outlier *outlier)
{
    size_t instrument = (size_t)equant_dataset_instruments(star->dataset)[outlier->rows[0]];
    return equant_dataset_instrument_name(star->dataset, instrument);
}

void star_outliers_describe(const struct star_result *star, size_t index,
                            char text[STAR_OUTLIERS_TEXT_SIZE])
{
    const struct star_outlier *own = &star->outliers.list[index];
    bool is_one_of_many = equant_dataset_n_instruments(star->dataset) > 1;
    snprintf(text, STAR_OUTLIERS_TEXT_SIZE, "%s of %s %.3f",
             own->is_night ? "night" : "observation", equant_dataset_time_name(star->dataset),
             time_of(star, own));
    if (is_one_of_many)
        text_line_append(text, STAR_OUTLIERS_TEXT_SIZE, " (%s)", instrument_of(star, own));
    if (own->is_night)
        text_line_append(text, STAR_OUTLIERS_TEXT_SIZE, ", %zu observations", own->n_rows);
    text_line_append(text, STAR_OUTLIERS_TEXT_SIZE,
                     ": %s%s m/s from the prediction of the other data, %.1f sigma;",
                     own->deviation_m_s < 0.0 ? "-" : "+",
                     spoken_number_digits(fabs(own->deviation_m_s), 3).text,
                     fabs(own->deviation_m_s) / own->expected_m_s);
    if (own->is_night)
        text_line_append(text, STAR_OUTLIERS_TEXT_SIZE, " errors inflated by %s m/s",
                         spoken_number_digits(own->widening_m_s, 3).text);
    else
        text_line_append(
            text, STAR_OUTLIERS_TEXT_SIZE, " error inflated to %s m/s",
            spoken_number_digits(star->outliers.uncertainties_m_s[own->rows[0]], 3).text);
}
