/* Small files of astrometry for tests: written, read, and taken away again. */
#ifndef EQUANT_TESTS_SKY_FILE_H
#define EQUANT_TESTS_SKY_FILE_H

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "equant.h"

typedef struct sky_file {
    char path[64];
    equant_status status;
    equant_astrometry **sources;
    size_t n;
    int is_recognised;
} sky_file;

static inline void sky_file_write(sky_file *file, const void *bytes, size_t n_bytes)
{
    snprintf(file->path, sizeof file->path, "/tmp/equant_sky_XXXXXX");
    int descriptor = mkstemp(file->path);
    assert_true(descriptor >= 0);
    FILE *stream = fdopen(descriptor, "wb");
    assert_non_null(stream);
    assert_int_equal(fwrite(bytes, 1, n_bytes, stream), n_bytes);
    assert_int_equal(fclose(stream), 0);
}

static inline sky_file sky_file_read_bytes(const void *bytes, size_t n_bytes,
                                           const equant_sky_reading *options)
{
    sky_file file = {0};
    sky_file_write(&file, bytes, n_bytes);
    file.is_recognised = equant_astrometry_recognises(file.path);
    file.status = equant_astrometry_read(file.path, options, &file.sources, &file.n);
    unlink(file.path);
    return file;
}

static inline sky_file sky_file_read(const char *text)
{
    return sky_file_read_bytes(text, strlen(text), NULL);
}

static inline void sky_file_free(sky_file *file)
{
    equant_astrometry_free_all(file->sources, file->n);
}

/* Whether one of a source's remarks holds these words. */
static inline int sky_file_says(const equant_astrometry *source, const char *words)
{
    for (size_t i = 0; i < equant_astrometry_n_remarks(source); i++)
        if (strstr(equant_astrometry_remark(source, i), words) != NULL)
            return 1;
    return 0;
}

/* The file is refused, by a sentence with these words that begins with its name. */
static inline void sky_file_refuse(const char *text, const char *words)
{
    sky_file file = sky_file_read(text);
    assert_int_not_equal(file.status, EQUANT_SUCCESS);
    assert_null(file.sources);
    const char *sentence = equant_last_error();
    if (strstr(sentence, words) == NULL)
        fail_msg("'%s' lacks '%s'", sentence, words);
    assert_int_equal(strncmp(sentence, file.path, strlen(file.path)), 0);
}

#endif
