/* equant nights: when a star can be observed, from where, and what the moon does. */
#include <stddef.h>

#include "commands/commands.h"
#include "files/output_folder.h"
#include "nights/night_picture.h"
#include "nights/night_report.h"
#include "terminal/messages.h"

struct nights_command {
    struct site_request from;
    struct night_question when;
    const char *star, *out;
    struct picture_options pictures;
    bool as_json, lists_sites;
};

#define OPTIONS_OF struct nights_command
static const struct option_row result_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    {"out", "DIR", OPTION_TEXT(out),
     "writes nights.ecsv, windows.ecsv, the calendar nights.ics\n"
     "and a picture to this folder"},
    {"star", "NAME", OPTION_TEXT(star), "name of the star in the calendar"},
    {0}};

static const struct option_row list_rows[] = {
    {"sites", NULL, OPTION_FLAG(lists_sites), "lists the known sites"}, OPTION_HELP_ROW, {0}};

static const struct option_table command_options = {
    .usage = {"--site NAME --ra A --dec D [OPTIONS]", "--sites"},
    .about =
        "Lists nights with their twilights, the hours in which a star is observable, the time\n"
        "and airmass of its culmination, and the moon. No network is needed.",
    .sections = {{"Star and nights", site_request_rows, offsetof(struct nights_command, from)},
                 {NULL, night_question_rows, offsetof(struct nights_command, when)},
                 {"Limits", site_request_limit_rows, offsetof(struct nights_command, from)},
                 {"Results", result_rows, 0},
                 {NULL, picture_options_rows, offsetof(struct nights_command, pictures)},
                 {"", list_rows, 0}},
    .example =
        "equant nights --site Keck --ra 18:02:30.86 --dec +26:18:46.8\n"
        "equant nights --site 'La Silla' --site OHP --ra 79.2 --dec -12.5 --start 2026-11-01 \\\n"
        "  --end 2026-12-01 --airmass 1.8 --slots run.ics --out nights",
};

static int check_output(const char *name, const struct nights_command *command)
{
    int code = picture_options_check(&command->pictures);
    return code == EXIT_CODE_OK ? output_check_folder(name, command->out, night_report_members)
                                : code;
}

static int write_files(const struct nights_command *command, const struct found_nights *found)
{
    int code = output_folder_create(command->out);
    if (code == EXIT_CODE_OK)
        code = night_report_write(found, command->star, command->out);
    if (code == EXIT_CODE_OK && !command->pictures.has_none)
        code = night_picture_draw(found, command->out, command->pictures.format);
    return code;
}

static int run(const char *name, const struct nights_command *command)
{
    struct found_nights found;
    int code = found_nights_make(name, &command->when, &found);
    if (code == EXIT_CODE_OK) {
        int written = command->out != NULL ? write_files(command, &found) : EXIT_CODE_OK;
        /* A result that could not be kept is shown all the same. */
        int printed = command->as_json ? night_report_json(&found) : night_report_text(&found);
        code = written != EXIT_CODE_OK ? written : printed;
    }
    found_nights_free(&found);
    return code;
}

int command_nights(int argc, char **argv)
{
    struct nights_command command = {.from = site_request_default()};
    command.when.from = &command.from;
    struct file_list files;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &command, &files);
    if (code == EXIT_CODE_OK && files.n > 0)
        code = messages_usage(argv[0],
                              "'%s' is not understood; nights are asked by --site, --ra "
                              "and --dec",
                              files.paths[0]);
    if (code == EXIT_CODE_OK)
        code = check_output(argv[0], &command);
    if (code == EXIT_CODE_OK)
        code = command.lists_sites ? night_report_sites() : run(argv[0], &command);
    site_request_free(&command.from);
    return code;
}
