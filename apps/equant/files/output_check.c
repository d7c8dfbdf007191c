#include "files/output_check.h"

#include <ctype.h>
#include <errno.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "files/output_folder.h"
#include "terminal/messages.h"

static bool is_same_file(const struct stat *output, const char *input)
{
    struct stat read;
    int failed = strcmp(input, "-") == 0 ? fstat(STDIN_FILENO, &read) : stat(input, &read);
    return failed == 0 && read.st_dev == output->st_dev && read.st_ino == output->st_ino;
}

int output_check_inputs(const char *command, const char *output, int n_inputs,
                        const char *const *inputs)
{
    struct stat written;
    if (output == NULL || stat(output, &written) != 0 || !S_ISREG(written.st_mode))
        return EXIT_CODE_OK;
    for (int i = 0; i < n_inputs; i++)
        if (inputs[i] != NULL && is_same_file(&written, inputs[i]))
            return messages_usage(command, "--out would overwrite '%s', which is to be read",
                                  strcmp(inputs[i], "-") == 0 ? output : inputs[i]);
    return EXIT_CODE_OK;
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
    FILE *file = fopen(path, "re");
    if (file == NULL)
        return messages_file("overwrite", path);
    bool is_of_kind = begins_with(file, kind->beginning);
    fclose(file);
    if (is_of_kind)
        return EXIT_CODE_OK;
    return messages_usage(command,
                          "--out would overwrite '%s', which is not %s; name another, or remove it "
                          "first",
                          path, kind->what);
}

/* The file will be made beside its place, so it is the folder that must be open to us. */
static int check_folder_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = slash == NULL ? strdup(".") : strndup(path, (size_t)(slash - path) + 1);
    if (folder == NULL)
        return messages_out_of_memory();
    int code = access(folder, W_OK | X_OK) == 0 ? EXIT_CODE_OK : messages_file("write", path);
    free(folder);
    return code;
}

int output_check_file(const char *command, const char *output, const struct output_kind *kind)
{
    struct stat facts;
    if (output == NULL)
        return EXIT_CODE_OK;
    bool is_there = stat(output, &facts) == 0;
    if (is_there && S_ISDIR(facts.st_mode)) {
        errno = EISDIR;
        return messages_file("write", output);
    }
    if (is_there && !S_ISREG(facts.st_mode))
        return EXIT_CODE_OK;
    int code = check_folder_of(output);
    if (code == EXIT_CODE_OK && is_there && facts.st_size > 0)
        code = check_kind(command, output, kind);
    return code;
}

static int check_member(const char *command, const char *folder, const struct output_member *member,
                        int n_inputs, const char *const *inputs)
{
    char *path = output_folder_join(folder, member->name);
    if (path == NULL)
        return EXIT_CODE_FAILED;
    int code = output_check_inputs(command, path, n_inputs, inputs);
    if (code == EXIT_CODE_OK)
        code = output_check_file(command, path, &member->kind);
    free(path);
    return code;
}

int output_check_folder(const char *command, const char *folder,
                        const struct output_member *members, int n_inputs,
                        const char *const *inputs)
{
    struct stat facts;
    int code = EXIT_CODE_OK;
    if (folder == NULL || stat(folder, &facts) != 0)
        return EXIT_CODE_OK;
    if (!S_ISDIR(facts.st_mode)) {
        errno = ENOTDIR;
        return messages_file("make this folder", folder);
    }
    for (; members->name != NULL && code == EXIT_CODE_OK; members++)
        code = check_member(command, folder, members, n_inputs, inputs);
    return code;
}
