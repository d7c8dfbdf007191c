#include "stars/star_numbers.h"

#include <math.h>
#include <stdbool.h>

#include "terminal/spoken_number.h"
#include "terminal/text_line.h"

/* Numbers with less are not mentioned. */
#define MENTIONED 0.01

size_t star_numbers_likeliest(const struct star_result *star)
{
    size_t best = 0;
    for (size_t n = 0; n < star->n_numbers; n++) {
        if (!isfinite(star->numbers[n]))
            return star->n_numbers;
        if (star->numbers[n] > star->numbers[best])
            best = n;
    }
    return best;
}

/* " (87 %)", never 100. */
static void append_share(double probability, size_t size, char *text)
{
    bool is_certain = probability > 0.995;
    text_line_append(text, size, " (%s%.0f %%)", is_certain ? "> " : "",
                     is_certain ? 99.0 : 100.0 * probability);
}

/* The most probable number that is less probable than this one; of equal ones the smaller first. */
static size_t next_likely(const struct star_result *star, size_t before)
{
    size_t next = star->n_numbers;
    for (size_t n = 0; n < star->n_numbers; n++) {
        bool is_behind = star->numbers[n] < star->numbers[before] ||
                         (star->numbers[n] == star->numbers[before] && n > before);
        if (is_behind && (next == star->n_numbers || star->numbers[n] > star->numbers[next]))
            next = n;
    }
    return next;
}

/* The other numbers, the most probable first: ", or 3 (12 %)". */
static void append_others(const struct star_result *star, size_t best, size_t size, char *text)
{
    for (size_t n = next_likely(star, best); n < star->n_numbers && star->numbers[n] >= MENTIONED;
         n = next_likely(star, n)) {
        text_line_append(text, size, ", or %zu", n);
        append_share(star->numbers[n], size, text);
    }
}

/* More than were found would sound like a contradiction. */
static void append_candidate(const struct star_result *star, size_t size, char *text)
{
    text_line_append(text, size,
                     " The candidate at %s days, which was refused, counts with its probability,",
                     spoken_number_digits(star->candidate.values[EQUANT_ELEMENT_PERIOD], 5).text);
    text_line_append(text, size,
                     " %.0f %%: that of a planet there against none; where else one may be was "
                     "not weighed.",
                     100.0 * star->candidate.probability);
}

/* Chains count every planet of the prior, also one far below the noise; the quick estimate knows of
 * none but those that were found or refused. Nobody must take the one for the other. */
void star_numbers_describe(const struct star_result *star, size_t size, char *text)
{
    size_t best = star_numbers_likeliest(star);
    text[0] = '\0';
    if (best >= star->n_numbers)
        return;
    if (star->is_sampled)
        text_line_append(text, size, "Probably %zu planet%s", best, best == 1 ? "" : "s");
    else
        text_line_append(text, size, "Planets that these data show: %zu", best);
    append_share(star->numbers[best], size, text);
    append_others(star, best, size, text);
    if (star->is_sampled) {
        text_line_append(text, size, ", by chains over all numbers of planets.");
        return;
    }
    text_line_append(text, size,
                     ", by a quick estimate from the models that were compared. Planets too weak "
                     "to show are not counted; `equant compare` samples the number of all.");
    if (best > star->n_planets && star->has_candidate)
        append_candidate(star, size, text);
}
