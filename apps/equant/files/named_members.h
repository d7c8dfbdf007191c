/* Numbers of a file that have names there and places in a struct here. */
#ifndef EQUANT_APP_FILES_NAMED_MEMBERS_H
#define EQUANT_APP_FILES_NAMED_MEMBERS_H

#include <stddef.h>

struct named_member {
    const char *name;
    size_t offset; /* of a double */
    double factor; /* from what the file has to what the struct has */
};

/* Puts a value where its name belongs; nowhere, where no member has it. */
void named_members_put(const struct named_member *members, size_t n, void *object, const char *name,
                       double value);
#define NAMED_MEMBERS_PUT(members, object, name, value)                                            \
    named_members_put(members, sizeof members / sizeof members[0], object, name, value)

#endif
