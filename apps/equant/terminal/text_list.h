/* A list of sentences. */
#ifndef EQUANT_APP_TERMINAL_TEXT_LIST_H
#define EQUANT_APP_TERMINAL_TEXT_LIST_H

#include <stddef.h>

struct text_list {
    size_t n;
    char **texts;
    int out_of_memory; /* remembered here: a sentence is missing */
};

__attribute__((format(printf, 2, 3))) void text_list_add(struct text_list *list, const char *format,
                                                         ...);
void text_list_free(struct text_list *list);

#endif
