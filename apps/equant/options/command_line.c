#include "options/command_line.h"

#include <ctype.h>
#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "terminal/messages.h"

bool command_line_wants_help(int argc, char **argv)
{
    for (int i = 1; i < argc && strcmp(argv[i], "--") != 0; i++)
        if (strcmp(argv[i], "--help") == 0 || strcmp(argv[i], "-h") == 0)
            return true;
    return false;
}

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

bool command_line_parse_number(const char *text, double *value)
{
    char *end;
    double parsed = strtod(text, &end);
    if (end == text)
        return false;
    while (isspace((unsigned char)*end))
        end++;
    if (*end != '\0')
        return false;
    *value = parsed;
    return true;
}

int command_line_number(const char *command, const char *option, const char *text, double *value)
{
    double parsed;
    if (!command_line_parse_number(text, &parsed) || !isfinite(parsed))
        return messages_usage(command, "%s wants a number, not '%s'", option, text);
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
        return messages_usage(command, "%s wants a number above zero, not '%s'", option, text);
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
        !command_line_parse_number(text, &number) || number > exact_up_to ||
        number != floor(number))
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
                                  "%s wants a whole number of at least %" PRIu64 ", not '%s'",
                                  option, minimum, text);
        return messages_usage(command,
                              "%s wants a whole number from %" PRIu64 " to %" PRIu64 ", not '%s'",
                              option, minimum, maximum, text);
    }
    *value = parsed;
    return EXIT_CODE_OK;
}

int command_line_check_output(const char *command, const char *output, int n_inputs,
                              char *const *inputs)
{
    struct stat written, read;
    if (output == NULL || stat(output, &written) != 0 || !S_ISREG(written.st_mode))
        return EXIT_CODE_OK;
    for (int i = 0; i < n_inputs; i++)
        if (stat(inputs[i], &read) == 0 && read.st_dev == written.st_dev &&
            read.st_ino == written.st_ino)
            return messages_usage(command, "--out would overwrite '%s', which is to be read",
                                  inputs[i]);
    return EXIT_CODE_OK;
}

int command_line_reject(const char *command, char **argv, int answer)
{
    const char *typed = argv[optind - 1];
    if (answer == ':')
        return messages_usage(command, "option %s wants a value", typed);
    if (strncmp(typed, "--", 2) == 0 && optopt != 0)
        return messages_usage(command, "option %.*s takes no value", (int)strcspn(typed, "="),
                              typed);
    if (optopt != 0)
        return messages_usage(command, "there is no option -%c", optopt);
    return messages_usage(command, "there is no option %s", typed);
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
