#include "inference/likelihood/remarks.h"

#include <stdarg.h>
#include <string.h>

#include "core/decimal_text.h"

void remarks_add(remarks *made, const char *format, ...)
{
    va_list arguments;
    if (made->n == REMARKS_MOST)
        return;
    va_start(arguments, format);
    decimal_text_vprint(made->texts[made->n], REMARKS_SIZE, format, arguments);
    va_end(arguments);
    for (size_t i = 0; i < made->n; i++)
        if (strcmp(made->texts[i], made->texts[made->n]) == 0)
            return;
    made->n++;
}
