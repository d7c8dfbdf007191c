#include "files/output_check.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "files/input_file.h"
#include "files/output_folder.h"
#include "platform/system_file.h"
#include "platform/system_folder.h"
#include "platform/system_stream.h"
#include "terminal/messages.h"

const struct output_kind output_kind_any = {.what = "a file", .beginning = ""};

static int check_inputs(const char *command, const char *output, const system_file_facts *written,
                        const struct output_kind *kind)
{
    const char *input = kind->is_maintained ? NULL : input_file_name(written);
    if (input_file_lacks_memory())
        return messages_out_of_memory();
    if (input == NULL)
        return EXIT_CODE_OK;
    const char *shown = strcmp(input, "-") == 0 ? output : input;
    static const char sentence[] = "--out would overwrite '%s', which is to be read";
    return command != NULL ? messages_usage(command, sentence, shown)
                           : messages_failure(sentence, shown);
}

/* Whether the text of a file begins as its kind does. */
static bool begins_with(FILE *file, const char *beginning)
{
    while (*beginning != '\0') {
        int character = getc(file);
        if (isspace(character))
            continue;
        if (tolower(character) != tolower((unsigned char)*beginning))
            return false;
        beginning++;
    }
    return true;
}

static int check_kind(const char *command, const char *path, const struct output_kind *kind)
{
    FILE *file = system_stream_open(path, "r");
    if (file == NULL)
        return messages_file("overwrite", path);
    bool is_of_kind = begins_with(file, kind->beginning);
    if (!is_of_kind && kind->other != NULL) {
        rewind(file);
        is_of_kind = begins_with(file, kind->other);
    }
    fclose(file);
    if (is_of_kind)
        return EXIT_CODE_OK;
    static const char sentence[] =
        "--out would overwrite '%s', which is not %s; name another, or remove it first";
    return command != NULL ? messages_usage(command, sentence, path, kind->what)
                           : messages_failure(sentence, path, kind->what);
}

/* The file will be made beside its place, so it is the folder that must be open to us. */
static int check_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    if (folder == NULL)
        return messages_out_of_memory();
    int code = system_folder_is_writable(folder) ? EXIT_CODE_OK : messages_file("write", path);
    free(folder);
    return code;
}

int output_check_file(const char *command, const char *output, const struct output_kind *kind)
{
    system_file_facts facts;
    if (output == NULL)
        return EXIT_CODE_OK;
    bool is_there = system_file_find(output, &facts);
    if (is_there && facts.is_folder) {
        errno = EISDIR;
        return messages_file("write", output);
    }
    if (is_there && !facts.is_regular)
        return EXIT_CODE_OK;
    int code = is_there ? check_inputs(command, output, &facts, kind) : EXIT_CODE_OK;
    if (code == EXIT_CODE_OK)
        code = check_folder_of(output);
    if (code == EXIT_CODE_OK && is_there && facts.n_bytes > 0)
        code = check_kind(command, output, kind);
    return code;
}

static int check_member(const char *command, const char *folder, const struct output_member *member)
{
    char *path = output_folder_join(folder, member->name);
    if (path == NULL)
        return EXIT_CODE_FAILED;
    int code = output_check_file(command, path, &member->kind);
    free(path);
    return code;
}

int output_check_folder(const char *command, const char *folder,
                        const struct output_member *members)
{
    system_file_facts facts;
    int code = EXIT_CODE_OK;
    if (folder == NULL || !system_file_find(folder, &facts))
        return EXIT_CODE_OK;
    if (!facts.is_folder) {
        errno = ENOTDIR;
        return messages_file("make this folder", folder);
    }
    for (; members->name != NULL && code == EXIT_CODE_OK; members++)
        code = check_member(command, folder, members);
    return code;
}

const struct output_kind *output_check_kind(const struct output_member *members, const char *name)
{
    for (; members->name != NULL; members++)
        if (strcmp(members->name, name) == 0)
            return &members->kind;
    messages_failure("%s: nobody has said which files of this name may be overwritten", name);
    return NULL;
}
