/* Any bytes as a star file (YAML): entries and states come out, or a sentence that names the file.
 */
#include <string.h>

#include "equant.h"
#include "fuzz_target.h"
#include "scratch.h"

static void check_entries(const equant_star_file *file)
{
    for (size_t i = 0; i < equant_star_file_n_entries(file); i++) {
        equant_star_entry entry = {.struct_size = sizeof entry};
        PROMISE(equant_star_file_entry(file, i, &entry) == EQUANT_SUCCESS);
        PROMISE(strlen(entry.section) > 0 && entry.item != NULL && entry.key != NULL);
        PROMISE(entry.value != NULL && entry.line > 0);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    equant_star_file *file = NULL;
    equant_states *states = NULL;
    scratch_write("star.yaml", n_bytes, data);
    equant_status status = equant_star_file_read(scratch_path("star.yaml"), &file);
    PROMISE((status == EQUANT_SUCCESS) == (file != NULL));
    if (status != EQUANT_SUCCESS) {
        PROMISE(status == EQUANT_ERROR_FORMAT || status == EQUANT_ERROR_INVALID_ARGUMENT);
        PROMISE(strncmp(equant_last_error(), scratch_folder(), strlen(scratch_folder())) == 0);
        return 0;
    }
    check_entries(file);
    PROMISE(equant_star_file_states(file, &states) == EQUANT_SUCCESS);
    PROMISE(equant_states_check(states) == EQUANT_SUCCESS);
    equant_states_free(states);
    equant_star_file_free(file);
    return 0;
}
