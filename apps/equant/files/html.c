#include "files/html.h"

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "text/utf8.h"

static const char *entity_of(char character)
{
    switch (character) {
    case '&':
        return "&amp;";
    case '<':
        return "&lt;";
    case '>':
        return "&gt;";
    case '"':
        return "&quot;";
    default:
        return NULL;
    }
}

/* U+FFFE and U+FFFF are UTF-8, and no characters of XML. */
static bool is_no_character(const char *text)
{
    return strncmp(text, "\xEF\xBF\xBE", 3) == 0 || strncmp(text, "\xEF\xBF\xBF", 3) == 0;
}

void html_text_n(FILE *page, const char *text, size_t n_bytes)
{
    const char *end = text + n_bytes;
    while (text < end) {
        size_t n = utf8_length(text);
        const char *entity = entity_of(*text);
        if (n == 0 || is_no_character(text))
            fputs("\xEF\xBF\xBD", page);
        else if (entity != NULL)
            fputs(entity, page);
        else if ((unsigned char)*text < 0x20 || *text == 0x7F)
            fputc(' ', page);
        else
            fwrite(text, 1, n, page);
        text += n > 0 ? n : 1;
    }
}

void html_text(FILE *page, const char *text)
{
    html_text_n(page, text, strlen(text));
}

void html_number(FILE *page, const char *number)
{
    size_t n = strcspn(number, "e");
    bool has_exponent = number[n] == 'e' && n > 0 && isdigit((unsigned char)number[n - 1]);
    for (size_t i = 0; i < n; i++) {
        if (number[i] == '-')
            fputs("−", page);
        else if (number[i] == '<')
            fputs("&lt;", page);
        else
            fputc(number[i], page);
    }
    if (has_exponent) {
        char *rest;
        long exponent = strtol(number + n + 1, &rest, 10);
        fprintf(page, " × 10<sup>%s%ld</sup>", exponent < 0 ? "−" : "", labs(exponent));
        html_text(page, rest);
    } else {
        html_text(page, number + n);
    }
}

void html_measured(FILE *page, struct measured_value value)
{
    char *above = strstr(value.text, " +"), *below = strstr(value.text, " -");
    if (above == NULL || below == NULL) {
        html_number(page, value.text);
        return;
    }
    *above = '\0';
    *below = '\0';
    html_number(page, value.text);
    fprintf(page, "<span class=\"ends\"><span>+%s</span><span>−%s</span></span>", above + 2,
            below + 2);
}
