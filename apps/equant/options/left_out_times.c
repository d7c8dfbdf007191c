#include "options/left_out_times.h"

#include <ctype.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/number_text.h"
#include "files/table_line.h"
#include "terminal/messages.h"

enum { WORD = 128 };

/* "A:B", "A:" or ":B". */
static bool read_span(const char *text, equant_time_span *span)
{
    char from[WORD];
    const char *colon = strchr(text, ':');
    if (colon == NULL || (size_t)(colon - text) >= sizeof from || strlen(text) == 1)
        return false;
    snprintf(from, sizeof from, "%.*s", (int)(colon - text), text);
    *span = (equant_time_span){-INFINITY, INFINITY};
    return (from[0] == '\0' || number_text_parse(from, &span->from_days)) &&
           (colon[1] == '\0' || number_text_parse(colon + 1, &span->to_days));
}

/* The value of a state, or the middle of its prior: "2455001.2", "normal(2455001.2, 0.003)". */
static bool read_centre(const char *text, double *value)
{
    static const char normal[] = "normal(";
    char number[WORD];
    bool is_normal = strncmp(text, normal, strlen(normal)) == 0;
    const char *begin = is_normal ? text + strlen(normal) : text;
    snprintf(number, sizeof number, "%.*s", is_normal ? (int)strcspn(begin, ",") : WORD - 1, begin);
    return number_text_parse(number, value) && isfinite(*value);
}

/* What is known of a planet; false where there is no such state, or another kind of one. */
static bool find_state(const equant_states *states, char letter, const char *quantity,
                       double *value)
{
    char name[WORD];
    snprintf(name, sizeof name, "%c.%s", letter, quantity);
    for (size_t i = 0; i < equant_states_n(states); i++)
        if (strcmp(equant_states_name(states, i), name) == 0)
            return read_centre(equant_states_text(states, i), value);
    return false;
}

static int take_planet(const char *command, const char *text, const equant_states *states,
                       char letter, const char *hours, equant_transit_times *transit)
{
    bool is_known = states != NULL &&
                    find_state(states, letter, "period_days", &transit->period_days) &&
                    (find_state(states, letter, "t_conj", &transit->conjunction_days) ||
                     find_state(states, letter, "transit", &transit->conjunction_days));
    if (!is_known)
        return messages_usage(command,
                              "--leave-out-transits %s: the period and the conjunction of planet "
                              "%c are not known; give both as values or normal priors, by --set or "
                              "a star file, or write PERIOD,CONJUNCTION,HOURS",
                              text, letter);
    if (!number_text_parse(hours, &transit->duration_hours))
        return messages_usage(command, "--leave-out-transits %s: '%s' is no number of hours", text,
                              hours);
    return EXIT_CODE_OK;
}

static int read_transit(const char *command, const char *text, const equant_states *states,
                        equant_transit_times *transit)
{
    char copy[3 * WORD], *cursor = copy, *cells[4];
    size_t n = 0;
    snprintf(copy, sizeof copy, "%s", text);
    while (n < 4 && (cells[n] = table_line_cell(&cursor, ',')) != NULL)
        n++;
    if (n == 2 && isalpha((unsigned char)cells[0][0]) && cells[0][1] == '\0')
        return take_planet(command, text, states, cells[0][0], cells[1], transit);
    if (n == 3 && number_text_parse(cells[0], &transit->period_days) &&
        number_text_parse(cells[1], &transit->conjunction_days) &&
        number_text_parse(cells[2], &transit->duration_hours))
        return EXIT_CODE_OK;
    return messages_usage(command,
                          "--leave-out-transits wants PERIOD,CONJUNCTION,HOURS, such as "
                          "3.5247,2455001.2,4.5, or the letter of a planet and HOURS, not '%s'",
                          text);
}

int left_out_times_read(const char *command, const struct left_out_times *own,
                        const equant_states *states, struct left_out_numbers *numbers,
                        equant_dataset_options *options)
{
    int code = EXIT_CODE_OK;
    *numbers = (struct left_out_numbers){calloc(own->spans.n + 1, sizeof *numbers->spans),
                                         calloc(own->transits.n + 1, sizeof *numbers->transits)};
    if (numbers->spans == NULL || numbers->transits == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < own->spans.n && code == EXIT_CODE_OK; i++)
        if (!read_span(own->spans.texts[i], &numbers->spans[i]))
            code = messages_usage(command,
                                  "--leave-out-times wants FROM:TO in the days of the data, not "
                                  "'%s'",
                                  own->spans.texts[i]);
    for (size_t i = 0; i < own->transits.n && code == EXIT_CODE_OK; i++)
        code = read_transit(command, own->transits.texts[i], states, &numbers->transits[i]);
    options->n_left_out_times = own->spans.n;
    options->left_out_times = numbers->spans;
    options->n_left_out_transits = own->transits.n;
    options->left_out_transits = numbers->transits;
    return code;
}

void left_out_numbers_free(struct left_out_numbers *numbers)
{
    free(numbers->spans);
    free(numbers->transits);
    *numbers = (struct left_out_numbers){NULL, NULL};
}
