#include "options/states_request.h"

#include <stdio.h>
#include <string.h>

#include "options/option_line.h"
#include "platform/system_file.h"
#include "terminal/messages.h"

#define OPTIONS_OF struct states_request
const struct option_row states_request_rows[] = {
    {"set", "NAME=VALUE...", OPTION_LIST(set),
     "fixes or constrains parameters: b.eccentricity=0,\n"
     "'b.t_conj=normal(2406.9628, 0.0012)', c.k_m_s=0:10,\n"
     "jitter[HARPS]=1.5, trend=none. Planets are named by letters;\n"
     "a planet named here belongs to the model. All forms:\n"
     "docs/model.md"},
    {"letters", "LIST", OPTION_TEXT(letters),
     "letters of the planets in order of period, such as c,b;\n"
     "default: b, c, ..."},
    {"transits", "FILE", OPTION_FILE(transits),
     "file of observed transit times: letter, time and error in\n"
     "each line; a linear ephemeris is fitted with the velocities"},
    {0}};

bool states_request_is_sentence(const char *word)
{
    return strchr(word, '=') != NULL && !system_file_exists(word);
}

int states_request_keep(struct states_request *request, const struct file_list *typed)
{
    for (int i = 0; i < typed->n && request->set.n > 0; i++)
        if (states_request_is_sentence(typed->paths[i]))
            text_list_add(&request->set, "%s", typed->paths[i]);
    return request->set.out_of_memory ? messages_out_of_memory() : EXIT_CODE_OK;
}

static int set(struct states_request *request, const char *sentence)
{
    return messages_status(equant_states_set(request->made, sentence, "--set"));
}

static bool is_asked(const struct states_request *request)
{
    return request->set.n > 0 || request->letters != NULL || request->transits != NULL;
}

int states_request_take(struct states_request *request, struct file_list *files)
{
    int n_files = 0, code;
    const char **paths = (const char **)files->paths; /* pieces of argv, in a list of our own */
    if (!is_asked(request))
        return EXIT_CODE_OK;
    code = request->made != NULL ? EXIT_CODE_OK
                                 : messages_status(equant_states_create(&request->made));
    if (code == EXIT_CODE_OK && request->letters != NULL)
        code = messages_status(
            equant_states_name_planets(request->made, request->letters, "--letters"));
    for (size_t i = 0; i < request->set.n && code == EXIT_CODE_OK; i++)
        code = set(request, request->set.texts[i]);
    for (int i = 0; i < files->n && code == EXIT_CODE_OK; i++) {
        if (request->set.n > 0 && states_request_is_sentence(paths[i]))
            code = set(request, paths[i]);
        else
            paths[n_files++] = paths[i];
    }
    files->n = code == EXIT_CODE_OK ? n_files : files->n;
    if (code == EXIT_CODE_OK && request->transits != NULL)
        code = messages_status(equant_states_read_transits(request->made, request->transits));
    return code == EXIT_CODE_OK ? messages_status(equant_states_check(request->made)) : code;
}

equant_trend states_request_trend(const struct states_request *request)
{
    equant_trend trend = EQUANT_TREND_DEFAULT;
    for (size_t i = 0; i < equant_states_n(request->made); i++) {
        const char *name = equant_states_name(request->made, i),
                   *text = equant_states_text(request->made, i);
        if (strcmp(name, "trend") == 0)
            return strcmp(text, "none") == 0     ? EQUANT_TREND_NONE
                   : strcmp(text, "linear") == 0 ? EQUANT_TREND_LINEAR
                                                 : EQUANT_TREND_QUADRATIC;
        if (strcmp(name, "trend_m_s_day2") == 0)
            trend = EQUANT_TREND_QUADRATIC;
        else if (strcmp(name, "trend_m_s_day") == 0 && trend == EQUANT_TREND_DEFAULT)
            trend = EQUANT_TREND_LINEAR;
    }
    return trend;
}

void states_request_free(struct states_request *request)
{
    equant_states_free(request->made);
    text_list_free(&request->set);
    text_list_free(&request->kept);
    text_list_free(&request->paths);
}

void states_request_describe(const struct states_request *request, char *line, size_t n)
{
    option_line_text(line, n, "letters", request->letters);
    option_line_text(line, n, "transits", request->transits);
    for (size_t i = 0; i < equant_states_n(request->made); i++) {
        char sentence[256];
        snprintf(sentence, sizeof sentence, "%s=%s", equant_states_name(request->made, i),
                 equant_states_text(request->made, i));
        option_line_text(line, n, "set", sentence);
    }
}
