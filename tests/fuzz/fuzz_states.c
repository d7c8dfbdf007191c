/* Any lines as states, as letters of planets and as words of noise: what is taken can be asked of a
 * model, and what is refused is refused with a sentence and changes nothing. */
#include <math.h>
#include <string.h>

#include "equant.h"
#include "fuzz_target.h"
#include "scratch.h"

enum { MOST_LINE = 400, MOST_LINES = 24 };

static equant_dataset *star;
static equant_model *models[3];

static void make_star(void)
{
    static const char table[] =
        "time,rv,err,instrument\n2455000,1,2,a\n2455010,5,2,b\n2455017,-3,2,a\n2455031,2,2,b\n"
        "2455040,0,2,a\n2455052,4,2,b\n2455060,-5,2,a\n";
    star = scratch_star(table);
    for (size_t i = 0; i < 3; i++) {
        equant_model_options options = {.struct_size = sizeof options,
                                        .n_planets = i,
                                        .n_instruments = 2,
                                        .offset_columns = EQUANT_NUISANCE_GIVEN,

                                        .with_jitter = 1};
        PROMISE(equant_model_create(&options, &models[i]) == EQUANT_SUCCESS);
    }
}

/* The next line, cut where it is long; false behind the last. */
static int next_line(const uint8_t **data, size_t *n_left, char line[MOST_LINE + 1])
{
    size_t n = 0;
    if (*n_left == 0)
        return 0;
    while (n < *n_left && (*data)[n] != '\n')
        n++;
    size_t kept = n < MOST_LINE ? n : MOST_LINE;
    memcpy(line, *data, kept);
    line[kept] = '\0';
    n += n < *n_left;
    *data += n;
    *n_left -= n;
    return 1;
}

static void check_refusal(equant_status status)
{
    PROMISE(status != EQUANT_ERROR_INTERNAL && strlen(equant_last_error()) > 0);
}

static void name_planets(equant_states *states, const char *letters)
{
    char before[64] = "", after[64] = "";
    for (size_t i = 0; i < equant_states_n_planets(states); i++)
        before[i] = equant_states_letter(states, i);
    equant_status status = equant_states_name_planets(states, letters, "letters");
    for (size_t i = 0; i < equant_states_n_planets(states); i++)
        after[i] = equant_states_letter(states, i);
    if (status != EQUANT_SUCCESS) {
        check_refusal(status);
        PROMISE(strcmp(before, after) == 0);
    }
}

static void add_noise(const char *words)
{
    equant_noise *noise = NULL;
    equant_status status = equant_noise_create(words, &noise);
    PROMISE((status == EQUANT_SUCCESS) == (noise != NULL));
    if (status != EQUANT_SUCCESS) {
        check_refusal(status);
        return;
    }
    for (size_t i = 0; i < equant_noise_n_parameters(noise); i++)
        PROMISE(strlen(equant_noise_parameter_name(noise, i)) > 0);
    equant_noise_free(noise);
}

static void ask_model(const equant_states *states, const equant_model *model)
{
    double set[64] = {0.0}, log_prior = 0.0;
    PROMISE(equant_model_n_parameters(model) <= 64);
    for (size_t i = 0; i < equant_model_n_parameters(model); i++)
        set[i] = 1.0 / (double)(i + 1);
    equant_status status = equant_states_fill(states, star, model, 1, set);
    if (status == EQUANT_SUCCESS)
        status = equant_states_log_prior(states, star, model, NULL, 1, set, &log_prior);
    if (status != EQUANT_SUCCESS)
        check_refusal(status);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    char line[MOST_LINE + 1];
    equant_states *states = NULL;
    if (star == NULL)
        make_star();
    PROMISE(equant_states_create(&states) == EQUANT_SUCCESS);
    for (int i = 0; i < MOST_LINES && next_line(&data, &n_bytes, line); i++) {
        size_t n = equant_states_n(states);
        if (line[0] == '@')
            name_planets(states, line + 1);
        else if (line[0] == '~')
            add_noise(line + 1);
        else if (equant_states_set(states, line, "line") != EQUANT_SUCCESS)
            PROMISE(equant_states_n(states) == n && strlen(equant_last_error()) > 0);
        else
            PROMISE(equant_states_n(states) == n + 1 && strlen(equant_states_text(states, n)) > 0);
    }
    equant_states_check(states);
    for (size_t i = 0; i < 3; i++)
        ask_model(states, models[i]);
    equant_states_free(states);
    return 0;
}
