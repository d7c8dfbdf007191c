/* equant/star_file.h: star files. A star with its data, what is known of it, and what to run, in
 * one YAML file. */
#ifndef EQUANT_STAR_FILE_H
#define EQUANT_STAR_FILE_H

#include <stddef.h>

#include "equant/states.h"
#include "equant/status.h"

#ifdef __cplusplus
extern "C" {
#endif

typedef struct equant_star_file equant_star_file;

/* One value of a star file: "star" "" "mass", "data" "" "file", "planets" "b" "period_days",
 * "instruments" "HARPS" "jitter", "transits" "b" "", "fit" "" "noise". Of lists there is an entry
 * for each value. Texts are valid as long as the file. */
typedef struct equant_star_entry {
    size_t struct_size;
    const char *section, *item, *key, *value;
    size_t line; /* from 1 */
} equant_star_entry;

/* Reads and checks: sections, keys, letters and all states. EQUANT_ERROR_FORMAT with a sentence
 * that begins with file and line; EQUANT_ERROR_UNAVAILABLE from a library that was built without
 * YAML. */
EQUANT_API equant_status equant_star_file_read(const char *path, equant_star_file **file);
EQUANT_API void equant_star_file_free(equant_star_file *file);

EQUANT_API size_t equant_star_file_n_entries(const equant_star_file *file);
EQUANT_API equant_status equant_star_file_entry(const equant_star_file *file, size_t index,
                                                equant_star_entry *entry);

/* The states that it has, for the caller to free: those of planets, transits, instruments and
 * trend. */
EQUANT_API equant_status equant_star_file_states(const equant_star_file *file,
                                                 equant_states **states);

#ifdef __cplusplus
}
#endif
#endif
