#include "inference/record/record_files.h"

#include <ctype.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "core/decimal_text.h"
#include "core/files/input_stream.h"
#include "core/files/replacement.h"
#include "core/status_fail.h"
#include "platform/system_file.h"
#include "platform/system_folder.h"
#include "platform/system_stream.h"

/* Whether a file begins so, blanks and line ends left out. */
static bool begins(int descriptor, const char *text)
{
    char bytes[1024];
    ptrdiff_t n = system_file_peek(descriptor, bytes, sizeof bytes);
    for (ptrdiff_t i = 0; i < n && *text; i++)
        if (!isspace((unsigned char)bytes[i]) && bytes[i] != *text++)
            return false;
    return !*text;
}

#define TABLE(first_column) "#%ECSV1.0#---#delimiter:','#datatype:#-{name:" first_column ","
#define KIND(name, text)                                                                           \
    static bool name(int descriptor)                                                               \
    {                                                                                              \
        return begins(descriptor, text);                                                           \
    }
KIND(is_planets, TABLE("period_days"))
KIND(is_named, TABLE("name"))
KIND(is_residuals, TABLE("time"))
KIND(is_origin, "{\"version\":")
KIND(is_fit, "{\"planets\":")

static const struct {
    const char *name;
    replacement_kind *is_of_kind;
} files[] = {
    [RECORD_FILE_PLANETS] = {"planets.ecsv", is_planets},
    [RECORD_FILE_PARAMETERS] = {"parameters.ecsv", is_named},
    [RECORD_FILE_COVARIANCE] = {"covariance.ecsv", is_named},
    [RECORD_FILE_RESIDUALS] = {"residuals.ecsv", is_residuals},
    [RECORD_FILE_ORIGIN] = {"origin.json", is_origin},
    [RECORD_FILE_FIT] = {"fit.json", is_fit},
};

const char *record_files_name(record_file file)
{
    return files[file].name;
}

char *record_files_path(const char *folder, record_file file)
{
    size_t n = strlen(folder) + strlen(files[file].name) + 2;
    char *path = malloc(n);
    if (path)
        snprintf(path, n, "%s/%s", folder, files[file].name);
    return path;
}

static bool make_one(const char *path)
{
    system_file_facts facts;
    return system_folder_make(path) || (system_file_find(path, &facts) && facts.is_folder);
}

equant_status record_files_make_folder(const char *folder)
{
    char *path = strdup(folder);
    if (!path)
        return status_out_of_memory();
    bool is_made = true;
    for (char *slash = strchr(path + (path[0] == '/'), '/'); slash && is_made;
         slash = strchr(slash + 1, '/')) {
        *slash = '\0';
        is_made = make_one(path);
        *slash = '/';
    }
    is_made = is_made && make_one(path);
    int error = errno;
    free(path);
    return is_made ? EQUANT_SUCCESS
                   : status_fail(EQUANT_ERROR_IO, "cannot make the folder %s: %s", folder,
                                 strerror(error));
}

equant_status record_files_text(record_file_contents *contents, const void *context, char **text,
                                size_t *n_bytes)
{
    char *made = NULL;
    size_t n = 0;
    FILE *stream = system_stream_to_text(&made, &n);
    decimal_text_scope scope = decimal_text_begin();
    bool is_whole = stream && contents(stream, context) && !ferror(stream);
    decimal_text_end(&scope);
    if (stream && !system_stream_close_text(stream))
        is_whole = false;
    if (!is_whole) {
        free(made);
        return status_out_of_memory();
    }
    *text = made;
    *n_bytes = n;
    return EQUANT_SUCCESS;
}

equant_status record_files_check(const char *folder)
{
    equant_status status = EQUANT_SUCCESS;
    for (record_file file = 0; file < N_RECORD_FILES && status == EQUANT_SUCCESS; file++) {
        char *path = record_files_path(folder, file);
        status = path ? replacement_check(path, files[file].is_of_kind) : status_out_of_memory();
        free(path);
    }
    return status;
}

equant_status record_files_read(const char *path, char **text)
{
    FILE *stream;
    char *made = NULL;
    size_t n = 0, room = 0;
    equant_status status = input_stream_open(path, &stream);
    if (status != EQUANT_SUCCESS)
        return status;
    while (status == EQUANT_SUCCESS && n == room) {
        room = room == 0 ? 1 << 14 : 2 * room;
        char *grown = realloc(made, room + 1);
        if (!grown) {
            status = status_out_of_memory();
            break;
        }
        made = grown;
        n += fread(made + n, 1, room - n, stream);
        if (ferror(stream))
            status = input_stream_fail(path, errno);
    }
    fclose(stream);
    if (status != EQUANT_SUCCESS) {
        free(made);
        return status;
    }
    made[n] = '\0';
    *text = made;
    return EQUANT_SUCCESS;
}

static equant_status write_all(int descriptor, const char *path, const char *text, size_t n)
{
    while (n > 0) {
        ptrdiff_t written = system_file_write(descriptor, text, n);
        if (written < 0 && errno != EINTR)
            return status_fail(EQUANT_ERROR_IO, "%s: cannot be written: %s", path, strerror(errno));
        text += written > 0 ? written : 0;
        n -= written > 0 ? (size_t)written : 0;
    }
    return EQUANT_SUCCESS;
}

static equant_status write_text(const char *path, record_file file, const char *text, size_t n)
{
    replacement made;
    equant_status status = replacement_begin(path, files[file].is_of_kind, &made);
    if (status != EQUANT_SUCCESS)
        return status;
    status = write_all(made.descriptor, path, text, n);
    return replacement_end(path, &made, status);
}

equant_status record_files_write(const char *folder, record_file file,
                                 record_file_contents *contents, const void *context)
{
    char *text, *path = record_files_path(folder, file);
    size_t n;
    if (!path)
        return status_out_of_memory();
    equant_status status = record_files_text(contents, context, &text, &n);
    if (status == EQUANT_SUCCESS) {
        status = write_text(path, file, text, n);
        free(text);
    }
    free(path);
    return status;
}
