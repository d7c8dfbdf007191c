#include "options/command_line.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "files/number_text.h"
#include "terminal/messages.h"
#include "terminal/text_line.h"

/* Writes a word so that a shell reads it as one; returns the end. */
static char *write_word(char *at, const char *word)
{
    static const char plain[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789"
                                "_-./:=,+@%";
    size_t n = strlen(word);
    if (n > 0 && strspn(word, plain) == n) {
        memcpy(at, word, n);
        return at + n;
    }
    *at++ = '\'';
    for (; *word != '\0'; word++) {
        if (*word == '\'') { /* out of the quotes, a quote, in again */
            memcpy(at, "'\\'", 3);
            at += 3;
        }
        *at++ = *word;
    }
    *at++ = '\'';
    return at;
}

char *command_line_typed(int argc, char **argv)
{
    size_t n = sizeof "equant";
    for (int i = 0; i < argc; i++)
        n += 4 * strlen(argv[i]) + 3;
    char *line = malloc(n), *at = line;
    if (line == NULL)
        return NULL;
    at = write_word(at, "equant");
    for (int i = 0; i < argc; i++) {
        *at++ = ' ';
        at = write_word(at, argv[i]);
    }
    *at = '\0';
    return line;
}

int command_line_number(const char *command, const char *option, const char *text, double *value)
{
    double parsed;
    if (!number_text_parse(text, &parsed) || !isfinite(parsed))
        return messages_usage(command, "--%s wants a number, not '%s'", option, text);
    *value = parsed;
    return EXIT_CODE_OK;
}

int command_line_positive(const char *command, const char *option, const char *text, double *value)
{
    double parsed = 0.0;
    int code = command_line_number(command, option, text, &parsed);
    if (code != EXIT_CODE_OK)
        return code;
    if (parsed <= 0.0)
        return messages_usage(command, "--%s wants a number above zero, not '%s'", option, text);
    *value = parsed;
    return EXIT_CODE_OK;
}

/* The whole of `text` as a whole number, in digits or, like 1e6, as doubles hold exactly. */
static bool parse_count(const char *text, uint64_t *value)
{
    const double exact_up_to = 9007199254740992.0;
    char *end;
    double number;
    if (!isdigit((unsigned char)text[0]))
        return false;
    errno = 0;
    *value = strtoull(text, &end, 10);
    if (*end == '\0')
        return errno == 0;
    if (strpbrk(text, "eE") == NULL || strpbrk(text, "xX") != NULL ||
        !number_text_parse(text, &number) || number > exact_up_to || number != floor(number))
        return false;
    *value = (uint64_t)number;
    return true;
}

int command_line_count(const char *command, const char *option, const char *text, uint64_t minimum,
                       uint64_t maximum, uint64_t *value)
{
    uint64_t parsed;
    if (!parse_count(text, &parsed) || parsed < minimum || parsed > maximum) {
        if (maximum == UINT64_MAX)
            return messages_usage(command,
                                  "--%s wants a whole number of at least %" PRIu64 ", not '%s'",
                                  option, minimum, text);
        return messages_usage(command,
                              "--%s wants a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'",
                              option, minimum, maximum, text);
    }
    *value = parsed;
    return EXIT_CODE_OK;
}

int command_line_choice(const char *command, const char *option, const char *text,
                        const struct option_choice *choices, int *value)
{
    char list[128] = "";
    for (size_t i = 0; choices[i].name != NULL; i++) {
        if (strcmp(text, choices[i].name) == 0) {
            *value = choices[i].value;
            return EXIT_CODE_OK;
        }
        const char *separator = i == 0 ? "" : choices[i + 1].name == NULL ? " or " : ", ";
        text_line_append(list, sizeof list, "%s%s", separator, choices[i].name);
    }
    return messages_usage(command, "--%s is %s, not '%s'", option, list, text);
}

const char *command_line_choice_name(const struct option_choice *choices, int value)
{
    while (choices->name != NULL && choices->value != value)
        choices++;
    return choices->name;
}

/* Edits that turn one word into the other: insert, delete, replace, or swap
 * two neighbours. Words are short; longer ones count as far away. */
static int edit_distance(const char *a, const char *b)
{
    enum { LONGEST = 24 };
    int n_a = (int)strlen(a), n_b = (int)strlen(b);
    int cost[LONGEST + 1][LONGEST + 1];
    if (n_a > LONGEST || n_b > LONGEST)
        return LONGEST;
    for (int i = 0; i <= n_a; i++) {
        for (int j = 0; j <= n_b; j++) {
            if (i == 0 || j == 0) {
                cost[i][j] = i + j;
                continue;
            }
            int best = cost[i - 1][j - 1] + (a[i - 1] != b[j - 1]);
            if (cost[i - 1][j] + 1 < best)
                best = cost[i - 1][j] + 1;
            if (cost[i][j - 1] + 1 < best)
                best = cost[i][j - 1] + 1;
            bool swapped = i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1];
            if (swapped && cost[i - 2][j - 2] + 1 < best)
                best = cost[i - 2][j - 2] + 1;
            cost[i][j] = best;
        }
    }
    return cost[n_a][n_b];
}

const char *command_line_nearest(const char *text, const char *const *names, int n)
{
    const char *nearest = NULL;
    int limit = (int)strlen(text) / 3 + 2;
    for (int i = 0; i < n; i++) {
        if (text[0] != '\0' && strncmp(names[i], text, strlen(text)) == 0)
            return names[i];
        int distance = edit_distance(text, names[i]);
        if (distance < limit) {
            limit = distance;
            nearest = names[i];
        }
    }
    return nearest;
}
