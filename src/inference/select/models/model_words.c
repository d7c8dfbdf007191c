#include "inference/select/models/model_words.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

#include "inference/select/models/seen_models.h"

/* Items of a list in words: each is held back until it is known whether it is the last. */
typedef struct word_list {
    char *text;
    char last[96];
    size_t size, n;
} word_list;

static void put(word_list *list, const char *before)
{
    size_t n = strlen(list->text);
    snprintf(list->text + n, list->size - n, "%s%s", before, list->last);
}

__attribute__((format(printf, 2, 3))) static void add(word_list *list, const char *format, ...)
{
    va_list values;
    if (list->n > 0)
        put(list, list->n > 1 ? ", " : "");
    va_start(values, format);
    vsnprintf(list->last, sizeof list->last, format, values);
    va_end(values);
    list->n++;
}

static void end(word_list *list)
{
    if (list->n == 0)
        add(list, "nothing");
    put(list, list->n > 1 ? " and " : "");
}

static size_t n_outliers(const solution *model)
{
    return model->noise.outliers ? model->noise.outliers->n : 0;
}

/* Planets that one model has and the other lacks, but for one. */
static void add_planets(const study *star, const solution *with, const solution *without,
                        double but_days, const char *article, word_list *list)
{
    for (size_t p = 0; p < with->n_planets; p++) {
        double period = with->set[N_ELEMENTS * p + ELEMENT_PERIOD];
        if (!seen_models_has_period(star, without, period) && period != but_days)
            add(list, "%s planet of %.4g days", article, period);
    }
}

static void add_terms(const study *star, const solution *model, const solution *other,
                      word_list *list)
{
    size_t first = study_first_correlated(star, other->n_planets, other->trend_order);
    for (size_t t = 0; t < star->menu.n_terms; t++) {
        const noise_menu_term *term = &star->menu.terms[t];
        const double *values = other->set + first + term->first;
        bool had = model->noise.terms >> t & 1, has = other->noise.terms >> t & 1;
        if (has && !had && term->kind->is_rotation)
            add(list, "noise %s of %.2g m/s with a period of %.3g days", term->name, values[0],
                values[1]);
        else if (has && !had)
            add(list, "noise %s of %.2g m/s", term->name, values[0]);
        else if (had && !has)
            add(list, "no noise %s", term->name);
    }
}

static void add_outliers(const solution *model, const solution *other, word_list *list)
{
    size_t had = n_outliers(model), has = n_outliers(other), n = has > had ? has - had : had - has;
    if (n > 0)
        add(list, "%zu outlier%s %s", n, n == 1 ? "" : "s", has > had ? "more" : "fewer");
    else if (!outlier_set_is_same(model->noise.outliers, other->noise.outliers))
        add(list, "other outliers");
}

static void add_trend(const solution *model, const solution *other, word_list *list)
{
    static const char *const words[] = {"no trend", "a linear trend", "a quadratic trend"};
    if (model->trend_order != other->trend_order)
        add(list, "%s", words[other->trend_order]);
}

void model_words_changes(const study *star, const solution *model, const solution *other,
                         double but_days, char text[MODEL_WORDS_SIZE])
{
    word_list list = {.text = text, .size = MODEL_WORDS_SIZE};
    text[0] = '\0';
    add_planets(star, other, model, but_days, "a", &list);
    add_planets(star, model, other, but_days, "no", &list);
    add_terms(star, model, other, &list);
    if (model->noise.indicators != other->noise.indicators)
        add(&list, "other indicators");
    add_outliers(model, other, &list);
    add_trend(model, other, &list);
    end(&list);
}

void model_words_noise(const study *star, const solution *model, char text[MODEL_WORDS_NOISE_SIZE])
{
    size_t n = 0;
    text[0] = '\0';
    for (size_t t = 0; t < star->menu.n_terms && n < MODEL_WORDS_NOISE_SIZE; t++)
        if (model->noise.terms >> t & 1)
            n += (size_t)snprintf(text + n, MODEL_WORDS_NOISE_SIZE - n, "%s%s", n > 0 ? ", " : "",
                                  star->menu.terms[t].name);
    if (n == 0)
        snprintf(text, MODEL_WORDS_NOISE_SIZE, "white");
}
