#include "terminal/text_list.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

void text_list_add(struct text_list *list, const char *format, ...)
{
    va_list arguments, again;
    va_start(arguments, format);
    va_copy(again, arguments);
    int n = vsnprintf(NULL, 0, format, again);
    va_end(again);
    char *text = n < 0 ? NULL : malloc((size_t)n + 1);
    char **longer = realloc(list->texts, (list->n + 1) * sizeof *list->texts);
    if (longer != NULL)
        list->texts = longer;
    if (text != NULL && longer != NULL) {
        vsnprintf(text, (size_t)n + 1, format, arguments);
        list->texts[list->n++] = text;
    } else {
        free(text);
        list->out_of_memory = 1;
    }
    va_end(arguments);
}

void text_list_free(struct text_list *list)
{
    for (size_t i = 0; i < list->n; i++)
        free(list->texts[i]);
    free(list->texts);
    *list = (struct text_list){0};
}
