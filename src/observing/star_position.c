#include "observing/star_position.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <string.h>

#include "core/status_fail.h"
#include "data/text_number.h"
#include "data/text_table.h"

/* One, two or three numbers between blanks, colons or the letters of their units; `unit` is the
 * letter behind the first, 0 for none. */
struct sexagesimal {
    bool is_negative;
    char unit;
    int n;
    double parts[3];
};

static bool is_separator(char letter)
{
    return letter != '\0' && strchr(": \thdms'\"", tolower((unsigned char)letter)) != NULL;
}

static bool read_parts(const char *text, struct sexagesimal *read)
{
    *read = (struct sexagesimal){0};
    const char *next = text;
    while (isspace((unsigned char)*next))
        next++;
    if (*next == '+' || *next == '-')
        read->is_negative = *next++ == '-';
    while (*next != '\0') {
        text_slice digits = {next, 0};
        while (isdigit((unsigned char)next[digits.n]) || next[digits.n] == '.')
            digits.n++;
        if (digits.n == 0 || read->n == 3 || !text_number_read(digits, &read->parts[read->n++]))
            return false;
        next += digits.n;
        if (read->n == 1 && isalpha((unsigned char)*next))
            read->unit = (char)tolower((unsigned char)*next);
        const char *behind = next;
        while (is_separator(*next))
            next++;
        if (next == behind && *next != '\0')
            return false;
    }
    return read->n > 0 && read->parts[1] < 60.0 && read->parts[2] < 60.0;
}

static double sum_of(const struct sexagesimal *read)
{
    double sum = read->parts[0] + read->parts[1] / 60.0 + read->parts[2] / 3600.0;
    return read->is_negative ? -sum : sum;
}

static equant_status read_ra(const char *text, double *ra_deg)
{
    struct sexagesimal read;
    char shown[64];
    text_slice typed = {text, strlen(text)};
    bool is_read = read_parts(text, &read) && !read.is_negative;
    bool is_in_hours = is_read && (read.unit == 'h' || (read.n > 1 && read.unit != 'd'));
    double value = is_read ? sum_of(&read) * (is_in_hours ? 15.0 : 1.0) : NAN;
    if (!(value >= 0.0 && value <= 360.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "'%s' is no right ascension; write 18:02:30.9 in hours or 270.629 in "
                           "degrees",
                           text_show(typed, shown, sizeof shown));
    *ra_deg = value;
    return EQUANT_SUCCESS;
}

static equant_status read_dec(const char *text, double *dec_deg)
{
    struct sexagesimal read;
    char shown[64];
    text_slice typed = {text, strlen(text)};
    double value = read_parts(text, &read) && read.unit != 'h' ? sum_of(&read) : NAN;
    if (!(fabs(value) <= 90.0))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "'%s' is no declination; write +26:18:46.8 or 26.313, in degrees",
                           text_show(typed, shown, sizeof shown));
    *dec_deg = value;
    return EQUANT_SUCCESS;
}

equant_status equant_star_position_read(const char *ra, const char *dec,
                                        equant_star_position *position)
{
    double ra_deg = 0.0, dec_deg = 0.0;
    if (ra == NULL || dec == NULL || position == NULL ||
        position->struct_size < offsetof(equant_star_position, epoch_year))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "a position has a right ascension and a declination");
    equant_status status = read_ra(ra, &ra_deg);
    if (status == EQUANT_SUCCESS)
        status = read_dec(dec, &dec_deg);
    if (status != EQUANT_SUCCESS)
        return status;
    position->ra_deg = ra_deg;
    position->dec_deg = dec_deg;
    return EQUANT_SUCCESS;
}

equant_status star_position_take(const equant_star_position *given, equant_star_position *taken)
{
    if (given == NULL || given->struct_size < offsetof(equant_star_position, epoch_year))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the position of the star is missing, or its struct_size is not set");
    *taken = (equant_star_position){0};
    size_t n = given->struct_size < sizeof *taken ? given->struct_size : sizeof *taken;
    memcpy(taken, given, n);
    taken->struct_size = sizeof *taken;
    if (taken->epoch_year == 0.0)
        taken->epoch_year = 2000.0;
    bool is_place = taken->ra_deg >= 0.0 && taken->ra_deg <= 360.0 && fabs(taken->dec_deg) <= 90.0;
    bool is_motion = isfinite(taken->pm_ra_mas_per_yr) && isfinite(taken->pm_dec_mas_per_yr) &&
                     taken->epoch_year > 1800.0 && taken->epoch_year < 2200.0;
    if (is_place && is_motion)
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                       "no star is at right ascension %g, declination %g degrees with a motion of "
                       "%g and %g mas a year since %g",
                       taken->ra_deg, taken->dec_deg, taken->pm_ra_mas_per_yr,
                       taken->pm_dec_mas_per_yr, taken->epoch_year);
}
