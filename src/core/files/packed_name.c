#include "core/files/packed_name.h"

#include <stddef.h>
#include <string.h>
#include <strings.h>

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

bool packed_name_leads_out(const char *name)
{
    if (is_slash(name[0]) || (name[0] != '\0' && name[1] == ':'))
        return true;
    for (const char *part = name; part != NULL;) {
        size_t n = strcspn(part, "/\\");
        if (n == 2 && part[0] == '.' && part[1] == '.')
            return true;
        part = part[n] != '\0' ? part + n + 1 : NULL;
    }
    return false;
}

bool packed_name_is_table(const char *name)
{
    static const char *const beside[] = {"readme", "manifest", "license", "licence", "__macosx"};
    size_t n = strlen(name);
    if (n == 0 || is_slash(name[n - 1]) || strncmp(name, "__MACOSX/", 9) == 0)
        return false;
    const char *slash = strrchr(name, '/');
    const char *base = slash != NULL ? slash + 1 : name;
    if (base[0] == '.')
        return false;
    for (size_t i = 0; i < sizeof beside / sizeof beside[0]; i++) {
        size_t n_word = strlen(beside[i]);
        if (strncasecmp(base, beside[i], n_word) == 0 &&
            (base[n_word] == '\0' || base[n_word] == '.'))
            return false;
    }
    return true;
}
