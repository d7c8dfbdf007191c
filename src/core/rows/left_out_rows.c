#include "core/rows/left_out_rows.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "core/decimal_text.h"
#include "core/status_fail.h"

/* A century: no ephemeris is used so far from where it was measured. */
#define FAR_DAYS 36525.0

enum { NOBODY = -1, WORDS = 160 };

/* Spans of time first, transits behind them. */
typedef struct rules {
    size_t n_spans, n;
    const equant_time_span *spans;
    const equant_transit_times *transits;
} rules;

static equant_status take_rules(const equant_dataset_options *options, rules *own)
{
    const equant_status invalid = EQUANT_ERROR_INVALID_ARGUMENT;
    size_t n_transits = OPTION_OR_ZERO(options, equant_dataset_options, n_left_out_transits);
    *own = (rules){.n_spans = OPTION_OR_ZERO(options, equant_dataset_options, n_left_out_times),
                   .spans = OPTION_OR_ZERO(options, equant_dataset_options, left_out_times),
                   .transits = OPTION_OR_ZERO(options, equant_dataset_options, left_out_transits)};
    own->n = own->n_spans + n_transits;
    if ((own->n_spans > 0 && own->spans == NULL) || (n_transits > 0 && own->transits == NULL))
        return status_fail(invalid, "times are to be left out, but their array is NULL");
    for (size_t i = 0; i < own->n_spans; i++)
        if (!(own->spans[i].from_days <= own->spans[i].to_days))
            return status_fail(invalid,
                               "times from %.10g to %.10g cannot be left out: the first "
                               "must not be above the last",
                               own->spans[i].from_days, own->spans[i].to_days);
    for (size_t i = 0; i < n_transits; i++) {
        const equant_transit_times *transit = &own->transits[i];
        double duration_days = transit->duration_hours / 24.0;
        if (!(transit->period_days > 0.0 && isfinite(transit->period_days)) ||
            !isfinite(transit->conjunction_days) ||
            !(duration_days > 0.0 && duration_days < transit->period_days))
            return status_fail(invalid,
                               "transits with a period of %g d, at %.10g, %g hours long, cannot "
                               "be left out: a duration is above zero and shorter than the period",
                               transit->period_days, transit->conjunction_days,
                               transit->duration_hours);
    }
    return EQUANT_SUCCESS;
}

static bool is_in_transit(const equant_transit_times *transit, double time_days)
{
    double since = time_days - transit->conjunction_days;
    double from_middle = since - transit->period_days * rint(since / transit->period_days);
    return fabs(from_middle) <= transit->duration_hours / 48.0;
}

/* The first rule that leaves out an observation at this time. */
static int rule_of(const rules *own, double time_days)
{
    for (size_t i = 0; i < own->n; i++) {
        bool is_out = i < own->n_spans ? time_days >= own->spans[i].from_days &&
                                             time_days <= own->spans[i].to_days
                                       : is_in_transit(&own->transits[i - own->n_spans], time_days);
        if (is_out)
            return (int)i;
    }
    return NOBODY;
}

static void describe(const rules *own, size_t i, char words[WORDS])
{
    if (i >= own->n_spans) {
        const equant_transit_times *transit = &own->transits[i - own->n_spans];
        decimal_text_print(words, WORDS, "transits of %.10g hours, every %.10g days, one at %.10g",
                           transit->duration_hours, transit->period_days,
                           transit->conjunction_days);
        return;
    }
    const equant_time_span *span = &own->spans[i];
    if (isinf(span->from_days))
        decimal_text_print(words, WORDS, "times up to %.10g", span->to_days);
    else if (isinf(span->to_days))
        decimal_text_print(words, WORDS, "times from %.10g on", span->from_days);
    else
        decimal_text_print(words, WORDS, "times from %.10g to %.10g", span->from_days,
                           span->to_days);
}

static equant_status tell(const rules *own, size_t i, size_t n_out, size_t n_all,
                          dataset_builder *builder)
{
    char words[WORDS];
    describe(own, i, words);
    if (n_out > 0)
        return dataset_builder_warn(builder, "observations left out: %zu of %zu, %s", n_out, n_all,
                                    words);
    return dataset_builder_warn(builder, "no observation is left out by %s", words);
}

/* An ephemeris on another clock leaves out what it should not. */
static equant_status doubt_clocks(const rules *own, dataset_builder *builder)
{
    equant_status status = EQUANT_SUCCESS;
    for (size_t i = own->n_spans; i < own->n && status == EQUANT_SUCCESS; i++) {
        double away = own->transits[i - own->n_spans].conjunction_days - builder->time_days[0];
        if (fabs(away) > FAR_DAYS)
            status = dataset_builder_warn(
                builder,
                "the ephemeris of transits to be left out is %.0f days away from the data; give "
                "it in the days of the data",
                fabs(away));
    }
    return status;
}

static void move_row(dataset_builder *builder, size_t from, size_t to)
{
    builder->time_days[to] = builder->time_days[from];
    builder->velocity_m_s[to] = builder->velocity_m_s[from];
    builder->uncertainty_m_s[to] = builder->uncertainty_m_s[from];
    builder->instrument[to] = builder->instrument[from];
    for (size_t i = 0; i < builder->indicators.n; i++) {
        indicator_column *column = &builder->indicators.columns[i];
        column->values[to] = column->values[from];
        column->uncertainties[to] = column->uncertainties[from];
    }
}

/* Takes out instruments that had observations and have none; others keep their order. */
static equant_status drop_instruments(dataset_builder *builder, const bool *had)
{
    size_t n = builder->n_instruments, n_kept = 0;
    int *place = malloc((n + 1) * sizeof *place);
    bool *has = calloc(n + 1, sizeof *has);
    if (place == NULL || has == NULL) {
        free(place);
        free(has);
        return status_out_of_memory();
    }
    for (size_t k = 0; k < builder->n_obs; k++)
        has[builder->instrument[k]] = true;
    for (size_t i = 0; i < n; i++) {
        place[i] = (int)n_kept;
        if (has[i] || !had[i])
            builder->instrument_names[n_kept++] = builder->instrument_names[i];
        else
            free(builder->instrument_names[i]);
    }
    builder->n_instruments = n_kept;
    for (size_t k = 0; k < builder->n_obs; k++)
        builder->instrument[k] = place[builder->instrument[k]];
    free(place);
    free(has);
    return EQUANT_SUCCESS;
}

/* What `counts` says of each rule afterwards: how many it left out. */
static equant_status take_out(const rules *own, size_t *counts, dataset_builder *builder)
{
    size_t n_all = builder->n_obs, n_kept = 0;
    bool *had = calloc(builder->n_instruments + 1, sizeof *had);
    if (had == NULL)
        return status_out_of_memory();
    for (size_t k = 0; k < n_all; k++) {
        int rule = rule_of(own, builder->time_days[k]);
        had[builder->instrument[k]] = true;
        if (rule == NOBODY)
            move_row(builder, k, n_kept++);
        else
            counts[rule]++;
    }
    builder->n_obs = n_kept;
    builder->n_left_out += n_all - n_kept;
    equant_status status = drop_instruments(builder, had);
    free(had);
    if (status == EQUANT_SUCCESS && n_kept == 0)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "no observation is left: all %zu are left out by their times", n_all);
    for (size_t i = 0; i < own->n && status == EQUANT_SUCCESS; i++)
        status = tell(own, i, counts[i], n_all, builder);
    return status;
}

equant_status left_out_rows_apply(const equant_dataset_options *options, dataset_builder *builder)
{
    rules own;
    equant_status status = take_rules(options, &own);
    if (status != EQUANT_SUCCESS || own.n == 0)
        return status;
    size_t *counts = calloc(own.n, sizeof *counts);
    if (counts == NULL)
        return status_out_of_memory();
    status = doubt_clocks(&own, builder);
    if (status == EQUANT_SUCCESS)
        status = take_out(&own, counts, builder);
    free(counts);
    return status;
}
