/* The front door of the command: finds the one that was asked for. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "options/command_line.h"
#include "commands/commands.h"
#include "manual/manual.h"
#include "platform/system_command.h"
#include "terminal/messages.h"
#include "terminal/terminal.h"
#include "terminal/wrapped_text.h"

#define ENTRY(name, summary) {#name, summary, command_##name},
static const struct manual_command commands[] = {COMMANDS(ENTRY)};

enum { N_COMMANDS = sizeof commands / sizeof commands[0] };

static void print_help(void)
{
    const char *bold = terminal_style(stdout, TERMINAL_BOLD);
    const char *plain = terminal_style(stdout, TERMINAL_PLAIN);
    printf("equant %s: find the orbits that explain a star's motion\n\n", equant_version());
    printf("Usage: equant COMMAND [OPTIONS] [FILES]\n\nCommands:\n");
    for (int i = 0; i < N_COMMANDS; i++) {
        printf("  %s%-12s%s", bold, commands[i].name, plain);
        wrapped_text_write(stdout, commands[i].summary, 14);
        putchar('\n');
    }
    wrapped_text_print(
        "\n"
        "  equant help COMMAND   options of a command, with an example\n"
        "  equant help --man     the manual page; --bash, --zsh and --fish: completions\n"
        "  equant --version      the version\n\n"
        "Example:\n"
        "  equant fit --demo\n");
}

static const struct manual_command *find_command(const char *name)
{
    for (int i = 0; i < N_COMMANDS; i++)
        if (strcmp(name, commands[i].name) == 0)
            return &commands[i];
    return NULL;
}

static int unknown_command(const char *name)
{
    const char *names[N_COMMANDS];
    for (int i = 0; i < N_COMMANDS; i++)
        names[i] = commands[i].name;
    const char *nearest = command_line_nearest(name, names, N_COMMANDS);
    if (nearest != NULL)
        return messages_usage(NULL, "there is no command '%s'; did you mean '%s'?", name, nearest);
    return messages_usage(NULL, "there is no command '%s'", name);
}

static int help_on(const char *name)
{
    const struct manual_command *command = find_command(name);
    if (command == NULL)
        return unknown_command(name);
    char *argv[] = {(char *)command->name, "--help", NULL};
    return command->run(2, argv);
}

/* Results that never reached the disk or the pipe must not look like success. */
static int close_output(int code)
{
    if (fflush(stdout) != 0 || ferror(stdout)) {
        if (code == EXIT_CODE_OK)
            return messages_file("write", "standard output");
    }
    return code;
}

/* A GPU with eight queues, as CUDA has them, takes 0.13 s to open and 0.07 s to close, with one
 * half of it; no command waits for more than two streams at a time. */
static void expect_few_queues(void)
{
    system_command_set_variable("CUDA_DEVICE_MAX_CONNECTIONS", "2", false);
}

/* A driver closes a GPU when a program ends, which takes some hundredths of a second, and leaves
 * nothing that the system would not take back by itself. All that was to be written has been. */
static int leave(int code)
{
#ifdef EQUANT_HAS_CUDA
    fflush(NULL);
    system_command_leave(code);
#endif
    return code;
}

int main(int argc, char **argv)
{
    system_command_begin(&argc, &argv);
    expect_few_queues();
    if (argc < 2) {
        print_help();
        return close_output(EXIT_CODE_USAGE);
    }
    const char *name = argv[1];
    if (strcmp(name, "--version") == 0 || strcmp(name, "-V") == 0) {
        printf("equant %s\n", equant_version());
        return close_output(EXIT_CODE_OK);
    }
    bool wants_help = strcmp(name, "--help") == 0 || strcmp(name, "-h") == 0;
    if (wants_help || (strcmp(name, "help") == 0 && argc == 2)) {
        print_help();
        return close_output(EXIT_CODE_OK);
    }
    if (strcmp(name, "help") == 0 && strncmp(argv[2], "--", 2) == 0)
        return close_output(manual_print(argv[2] + 2, N_COMMANDS, commands));
    if (strcmp(name, "help") == 0)
        return close_output(help_on(argv[2]));
    if (name[0] == '-')
        return messages_usage(NULL, "there is no option %s", name);
    const struct manual_command *command = find_command(name);
    if (command == NULL)
        return unknown_command(name);
    return leave(close_output(command->run(argc - 1, argv + 1)));
}
