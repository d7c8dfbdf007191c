/* equant info: what this machine offers and what equant makes of it. */
#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "commands/commands.h"
#include "text/json_writer.h"
#include "options/option_table.h"
#include "terminal/host_machine.h"
#include "terminal/messages.h"
#include "terminal/table.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

struct info_request {
    bool as_json;
};

#define OPTIONS_OF struct info_request
static const struct option_row option_rows[] = {
    {"json", NULL, OPTION_FLAG(as_json), "one JSON object instead of the text"},
    OPTION_HELP_ROW,
    {0}};

static const struct option_table command_options = {
    .usage = {"[--json]"},
    .about = "Prints the processor, its threads, and the backends that can compute on this\n"
             "machine, with the default one. --backend selects another one in the commands that\n"
             "compute.",
    .sections = {{"Options", option_rows, 0}},
    .example = "equant info --json",
};

static equant_backend_info describe_backend(size_t index)
{
    equant_backend_info info = {.struct_size = sizeof info};
    equant_backend_at(index, &info);
    return info;
}

static void print_json(const char *system, const char *processor)
{
    json_writer json = json_start(stdout);
    json_object_begin(&json);
    json_key_string(&json, "version", equant_version());
    json_key_string(&json, "compiler", machine_compiler());
    json_key_string(&json, "system", system);
    json_key_string(&json, "processor", processor);
    json_key_integer(&json, "threads", equant_default_threads());
    json_key(&json, "backends");
    json_array_begin(&json);
    for (size_t i = 0; i < equant_n_backends(); i++) {
        equant_backend_info backend = describe_backend(i);
        json_object_begin(&json);
        json_key_string(&json, "name", backend.name);
        json_key_string(&json, "description", backend.description);
        json_key_boolean(&json, "available", backend.available);
        json_key_boolean(&json, "is_default", backend.is_default);
        json_object_end(&json);
    }
    json_array_end(&json);
    json_object_end(&json);
    json_finish(&json);
}

/* What a table cannot hold: why a GPU is not used, or what goes there by itself. */
static void print_gpus(void)
{
    for (size_t i = 0; i < equant_n_backends(); i++) {
        equant_backend_info backend = describe_backend(i);
        equant_device_info device = {.struct_size = sizeof device};
        if (strncmp(backend.name, "cpu/", 4) == 0)
            continue;
        if (equant_device_describe(backend.name, &device) != EQUANT_SUCCESS)
            printf("\n%s\n", equant_last_error());
        else
            printf("\nScans and large batches go to %s (%s) unless --backend says otherwise.\n",
                   backend.name, device.name);
    }
}

static int print_text(const char *system, const char *processor)
{
    const char *bold = terminal_style(stdout, TERMINAL_BOLD);
    const char *plain = terminal_style(stdout, TERMINAL_PLAIN);
    printf("%sequant %s%s\n\n", bold, equant_version(), plain);
    wrapped_text_print("  system     %s\n", system);
    wrapped_text_print("  processor  %s\n", processor);
    wrapped_text_print("  threads    %d\n", equant_default_threads());
    wrapped_text_print("  compiler   %s\n\n", machine_compiler());

    struct table table = table_start("lll");
    table_add(&table, "backend");
    table_add(&table, "here");
    table_add(&table, "what it is");
    const char *other = NULL;
    for (size_t i = 0; i < equant_n_backends(); i++) {
        equant_backend_info backend = describe_backend(i);
        table_add(&table, "%s", backend.name);
        table_add(&table, "%s", backend.is_default ? "chosen" : backend.available ? "yes" : "no");
        table_add(&table, "%s", backend.description);
        if (backend.available && (other == NULL || !backend.is_default))
            other = backend.name;
    }
    int code = table_print(&table, stdout, 2);
    table_free(&table);
    if (code == EXIT_CODE_OK)
        print_gpus();
    if (code == EXIT_CODE_OK && other != NULL)
        wrapped_text_print("\nForce another one with --backend, e.g. equant bench --backend %s\n",
                           other);
    return code;
}

int command_info(int argc, char **argv)
{
    struct info_request request = {0};
    struct file_list files;
    if (option_table_helps(&command_options, argc, argv))
        return EXIT_CODE_OK;
    int code = option_table_parse(&command_options, argc, argv, &request, &files);
    if (code != EXIT_CODE_OK)
        return code;
    if (files.n > 0)
        return messages_usage(argv[0], "info takes no files; leave '%s' out", files.paths[0]);

    char system[256], processor[256];
    machine_system(system, sizeof system);
    machine_processor(processor, sizeof processor);
    if (!request.as_json)
        return print_text(system, processor);
    print_json(system, processor);
    return EXIT_CODE_OK;
}
