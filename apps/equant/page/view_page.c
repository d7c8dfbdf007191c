#include "page/view_page.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "files/html.h"
#include "files/input_file.h"
#include "terminal/messages.h"

static const char place[] = "<!-- files -->";

struct content {
    char *bytes; /* ends with a zero */
    size_t n, n_reserved;
};

static int reserve(struct content *all)
{
    size_t n = all->n_reserved > 0 ? 2 * all->n_reserved : (size_t)1 << 16;
    char *bytes = realloc(all->bytes, n);
    if (bytes == NULL)
        return messages_out_of_memory();
    all->bytes = bytes;
    all->n_reserved = n;
    return EXIT_CODE_OK;
}

static int read_stream(FILE *stream, const char *path, struct content *all)
{
    for (;;) {
        if (all->n + 1 >= all->n_reserved && reserve(all) != EXIT_CODE_OK)
            return EXIT_CODE_FAILED;
        size_t n = fread(all->bytes + all->n, 1, all->n_reserved - all->n - 1, stream);
        all->n += n;
        all->bytes[all->n] = '\0';
        if (n == 0)
            return ferror(stream) ? messages_file("read", path) : EXIT_CODE_OK;
    }
}

static int read_file(const char *path, struct content *all)
{
    *all = (struct content){0};
    FILE *stream = input_file_open(path);
    if (stream == NULL)
        return messages_file("read", path);
    int code = read_stream(stream, path, all);
    fclose(stream);
    return code;
}

/* In lines, so that editors open the page. */
static void write_base64(FILE *out, const struct content *all)
{
    static const char digits[] = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
    const unsigned char *bytes = (const unsigned char *)all->bytes;
    for (size_t i = 0; i < all->n; i += 3) {
        size_t n = all->n - i < 3 ? all->n - i : 3;
        unsigned group = (unsigned)bytes[i] << 16;
        group |= n > 1 ? (unsigned)bytes[i + 1] << 8 : 0;
        group |= n > 2 ? (unsigned)bytes[i + 2] : 0;
        for (size_t k = 0; k < 4; k++)
            fputc(k <= n ? digits[group >> (18 - 6 * k) & 63] : '=', out);
        if (i % 72 == 69)
            fputc('\n', out);
    }
}

static const char *base_name(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash != NULL ? slash + 1 : path;
}

/* A name that another file has already stands in a folder of its own. */
static void write_name(FILE *out, size_t number, const char *const *paths)
{
    const char *name = base_name(paths[number]);
    for (size_t i = 0; i < number; i++)
        if (strcmp(base_name(paths[i]), name) == 0) {
            fprintf(out, "%zu/", number + 1);
            break;
        }
    html_text(out, name);
}

static int write_file(FILE *out, size_t number, const char *const *paths)
{
    struct content file;
    int code = read_file(paths[number], &file);
    if (code == EXIT_CODE_OK) {
        fputs("<script type=\"text/plain\" data-path=\"", out);
        write_name(out, number, paths);
        fputs("\">\n", out);
        write_base64(out, &file);
        fputs("</script>\n", out);
    }
    free(file.bytes);
    return code;
}

int view_page_write(FILE *out, const char *page, size_t n_files, const char *const *paths)
{
    struct content text;
    int code = read_file(page, &text);
    const char *here = code == EXIT_CODE_OK ? strstr(text.bytes, place) : NULL;
    if (code == EXIT_CODE_OK && here == NULL)
        code = messages_failure("%s: this is not the page that `make web` makes", page);
    if (code == EXIT_CODE_OK)
        fwrite(text.bytes, 1, (size_t)(here - text.bytes), out);
    for (size_t i = 0; i < n_files && code == EXIT_CODE_OK; i++)
        code = write_file(out, i, paths);
    if (code == EXIT_CODE_OK)
        fputs(here + strlen(place), out);
    free(text.bytes);
    return code;
}
