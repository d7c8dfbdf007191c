#include "files/named_members.h"

#include <string.h>

void named_members_put(const struct named_member *members, size_t n, void *object, const char *name,
                       double value)
{
    for (size_t i = 0; i < n; i++) {
        if (strcmp(members[i].name, name) == 0) {
            value *= members[i].factor;
            memcpy((char *)object + members[i].offset, &value, sizeof value);
        }
    }
}
