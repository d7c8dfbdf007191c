#include "options/star_name.h"

#include <stdio.h>
#include <string.h>

/* The name of a file without folder and ending. */
static struct star_name stem_of(const char *path)
{
    struct star_name stem;
    const char *slash = strrchr(path, '/');
    snprintf(stem.text, sizeof stem.text, "%s", slash != NULL ? slash + 1 : path);
    char *dot = strrchr(stem.text, '.');
    if (dot != NULL && dot != stem.text)
        *dot = '\0';
    return stem;
}

static void cut_to_common(char *name, const char *other)
{
    size_t n = 0;
    while (name[n] != '\0' && name[n] == other[n])
        n++;
    name[n] = '\0';
}

/* What is left of several names may end between two words, or within a character. */
static void trim(char *name)
{
    size_t n = strlen(name);
    while (n > 0 && (strchr(" _-.+", name[n - 1]) != NULL || (name[n - 1] & 0x80) != 0))
        name[--n] = '\0';
}

struct star_name star_name_guess(const struct data_source *source, const struct file_list *files)
{
    struct star_name name = {""};
    if (source->is_demonstration)
        return (struct star_name){"HD 164922"};
    if (source->star_name != NULL) {
        snprintf(name.text, sizeof name.text, "%s", source->star_name);
        return name;
    }
    for (int i = 0; i < files->n; i++) {
        struct star_name stem = stem_of(files->paths[i]);
        if (strncmp(files->paths[i], "/dev/", strlen("/dev/")) == 0)
            return (struct star_name){""};
        if (i == 0)
            name = stem;
        else
            cut_to_common(name.text, stem.text);
    }
    if (files->n > 1)
        trim(name.text);
    return name;
}
