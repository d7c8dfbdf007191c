#include "manual/manual.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "equant.h"
#include "options/option_table.h"
#include "terminal/messages.h"

/* A backslash and a first point or apostrophe mean something to roff, and a minus is no hyphen. */
static void write_roff(const char *text)
{
    bool begins = true;
    for (const char *c = text; *c != '\0'; c++) {
        if (begins && (*c == '.' || *c == '\''))
            fputs("\\&", stdout);
        begins = *c == '\n';
        if (*c == '\\')
            fputs("\\e", stdout);
        else if (*c == '-')
            fputs("\\-", stdout);
        else
            putchar(*c);
    }
}

/* Text between apostrophes, whose first line is taken; of `also` each character gets a backslash.
 */
static void write_quoted(const char *text, const char *also)
{
    for (const char *c = text; *c != '\0' && *c != '\n'; c++)
        if (*c == '\'')
            fputs("’", stdout);
        else
            printf("%s%c", strchr(also, *c) != NULL ? "\\" : "", *c);
}

static bool is_shown(const struct option_row *row)
{
    return row->target.kind != OPTION_KIND_HELP;
}

/* ---- the manual page ---------------------------------------------------------------------------
 */

static void print_man_section(const struct option_section *section)
{
    if (section->title != NULL && section->title[0] != '\0')
        printf(".PP\n.I %s\n", section->title);
    for (const struct option_row *row = section->rows; row->name != NULL; row++) {
        if (!is_shown(row) || row->help == NULL)
            continue;
        fputs(".TP\n.B \\-\\-", stdout);
        write_roff(row->name);
        if (row->argument != NULL) {
            putchar(' ');
            write_roff(row->argument);
        }
        putchar('\n');
        write_roff(row->help);
        putchar('\n');
    }
}

static void print_man(const struct option_table *table, const char *command)
{
    printf(".SH EQUANT %s\n", command);
    for (int i = 0; table->usage[i] != NULL; i++) {
        printf("%s.B equant %s\n", i > 0 ? ".br\n" : "", command);
        write_roff(table->usage[i]);
        putchar('\n');
    }
    fputs(".PP\n", stdout);
    write_roff(table->about);
    putchar('\n');
    for (const struct option_section *section = table->sections; section->rows != NULL; section++)
        print_man_section(section);
    fputs(".PP\nExample:\n.PP\n.nf\n.RS\n", stdout);
    write_roff(table->example);
    fputs("\n.RE\n.fi\n", stdout);
}

/* ---- completions --------------------------------------------------------------------------------
 */

typedef void print_option(const struct option_row *row, const char *command);

static void print_bash(const struct option_row *row, const char *command)
{
    (void)command;
    printf(" --%s", row->name);
}

static void print_zsh(const struct option_row *row, const char *command)
{
    (void)command;
    printf(" \\\n      '%s--%s[", row->target.kind == OPTION_KIND_LIST ? "*" : "", row->name);
    write_quoted(row->help != NULL ? row->help : row->name, "[]:\\");
    putchar(']');
    if (row->argument != NULL) {
        fputs(":", stdout);
        printf("%.*s", (int)strcspn(row->argument, ",:'[("), row->argument);
        fputs(row->target.kind == OPTION_KIND_CHOICE ? ":(" : ":_files", stdout);
    }
    if (row->argument != NULL && row->target.kind == OPTION_KIND_CHOICE) {
        for (const struct option_choice *choice = row->target.choices; choice->name; choice++)
            printf("%s%s", choice == row->target.choices ? "" : " ", choice->name);
        putchar(')');
    }
    putchar('\'');
}

static void print_fish(const struct option_row *row, const char *command)
{
    printf("complete -c equant -n '__fish_seen_subcommand_from %s' -l %s%s -d '", command,
           row->name, row->argument != NULL ? " -r" : "");
    write_quoted(row->help != NULL ? row->help : row->name, "\\");
    fputs("'", stdout);
    if (row->target.kind == OPTION_KIND_CHOICE) {
        fputs(" -a '", stdout);
        for (const struct option_choice *choice = row->target.choices; choice->name; choice++)
            printf("%s%s", choice == row->target.choices ? "" : " ", choice->name);
        putchar('\'');
    }
    putchar('\n');
}

enum { MOST_OPTIONS = 256 };

/* How options are printed, and those of the present command that have been. */
static print_option *printer;
static const char *printed[MOST_OPTIONS];
static size_t n_printed;

static bool was_printed(const char *name)
{
    for (size_t i = 0; i < n_printed; i++)
        if (strcmp(printed[i], name) == 0)
            return true;
    if (n_printed < MOST_OPTIONS)
        printed[n_printed++] = name;
    return false;
}

static void print_rows(const struct option_table *table, const char *command)
{
    for (const struct option_section *section = table->sections; section->rows != NULL; section++)
        for (const struct option_row *row = section->rows; row->name != NULL; row++)
            if (is_shown(row) && !was_printed(row->name))
                printer(row, command);
}

/* ---- the whole ---------------------------------------------------------------------------------
 */

/* Commands whose tables depend on an option have more than one. */
static const char *const others[][2] = {{"plan", "--schedule"}};

static void show_all(const struct manual_command *command, option_table_shower *show)
{
    char help[] = "--help";
    char *argv[] = {(char *)command->name, help, NULL, NULL};
    option_table_show_by(show);
    n_printed = 0;
    command->run(2, argv);
    for (size_t i = 0; i < sizeof others / sizeof *others; i++)
        if (strcmp(others[i][0], command->name) == 0) {
            argv[1] = (char *)others[i][1];
            argv[2] = help;
            command->run(3, argv);
            argv[1] = help;
            argv[2] = NULL;
        }
    option_table_show_by(NULL);
}

static void print_manual_page(size_t n, const struct manual_command *commands)
{
    printf(".TH EQUANT 1 \"\" \"equant %s\" \"User Commands\"\n", equant_version());
    fputs(".SH NAME\nequant \\- find the orbits that explain radial velocities and astrometry\n"
          ".SH SYNOPSIS\n.B equant\n.I COMMAND\n[OPTIONS] [FILES]\n.SH COMMANDS\n",
          stdout);
    for (size_t i = 0; i < n; i++) {
        printf(".TP\n.B %s\n", commands[i].name);
        write_roff(commands[i].summary);
        putchar('\n');
    }
    for (size_t i = 0; i < n; i++)
        show_all(&commands[i], print_man);
}

static void print_names(size_t n, const struct manual_command *commands)
{
    for (size_t i = 0; i < n; i++)
        printf("%s ", commands[i].name);
    fputs("help", stdout);
}

static void print_bash_completions(size_t n, const struct manual_command *commands)
{
    fputs("# bash completion of equant\n_equant()\n{\n"
          "    local word=${COMP_WORDS[COMP_CWORD]} options=\n    COMPREPLY=()\n"
          "    if [ \"$COMP_CWORD\" = 1 ]; then\n        COMPREPLY=($(compgen -W '",
          stdout);
    print_names(n, commands);
    fputs("' -- \"$word\"))\n        return\n    fi\n    case ${COMP_WORDS[1]} in\n", stdout);
    for (size_t i = 0; i < n; i++) {
        printf("    %s) options='--help", commands[i].name);
        show_all(&commands[i], print_rows);
        fputs("' ;;\n", stdout);
    }
    fputs("    esac\n    case $word in\n"
          "    -*) COMPREPLY=($(compgen -W \"$options\" -- \"$word\")) ;;\n"
          "    *) COMPREPLY=($(compgen -f -- \"$word\")) ;;\n    esac\n}\n"
          "complete -o filenames -F _equant equant\n",
          stdout);
}

static void print_zsh_completions(size_t n, const struct manual_command *commands)
{
    fputs("#compdef equant\n\n_equant() {\n  if (( CURRENT == 2 )); then\n"
          "    local -a commands\n    commands=(\n",
          stdout);
    for (size_t i = 0; i < n; i++) {
        printf("      '%s:", commands[i].name);
        write_quoted(commands[i].summary, ":\\");
        fputs("'\n", stdout);
    }
    fputs("    )\n    _describe command commands\n    return\n  fi\n  local command=$words[2]\n"
          "  shift words\n  (( CURRENT-- ))\n  case $command in\n",
          stdout);
    for (size_t i = 0; i < n; i++) {
        printf("    %s)\n      _arguments '--help[this text]'", commands[i].name);
        show_all(&commands[i], print_rows);
        fputs(" \\\n      '*:file:_files'\n      ;;\n", stdout);
    }
    fputs("  esac\n}\n\n_equant \"$@\"\n", stdout);
}

static void print_fish_completions(size_t n, const struct manual_command *commands)
{
    fputs("# fish completion of equant\n", stdout);
    for (size_t i = 0; i < n; i++) {
        printf("complete -c equant -n __fish_use_subcommand -a %s -d '", commands[i].name);
        write_quoted(commands[i].summary, "\\");
        fputs("'\n", stdout);
        show_all(&commands[i], print_rows);
    }
}

int manual_print(const char *form, size_t n, const struct manual_command *commands)
{
    if (strcmp(form, "man") == 0) {
        print_manual_page(n, commands);
    } else if (strcmp(form, "bash") == 0) {
        printer = print_bash;
        print_bash_completions(n, commands);
    } else if (strcmp(form, "zsh") == 0) {
        printer = print_zsh;
        print_zsh_completions(n, commands);
    } else if (strcmp(form, "fish") == 0) {
        printer = print_fish;
        print_fish_completions(n, commands);
    } else {
        return messages_usage(NULL, "there is no form '%s': there are man, bash, zsh and fish",
                              form);
    }
    return EXIT_CODE_OK;
}
