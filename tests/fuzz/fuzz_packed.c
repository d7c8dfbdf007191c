/* Any bytes as a gzip file, a zip archive or a table in one of these: the first byte says which
 * name the file has. A data set comes out, or a sentence, and then nothing; of no more bytes than
 * allowed. */
#include <sys/stat.h>

#include "scratch.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static const char *const names[] = {"star.csv.gz", "star.zip", "star.csv", "stars/star.vels"};
    const char *name = names[n_bytes > 0 ? data[0] % 4 : 0];
    const equant_dataset_options options = {.struct_size = sizeof options,
                                            .velocity_unit = EQUANT_UNIT_M_S};
    equant_dataset *made = NULL;
    if (n_bytes == 0)
        return 0;
    (void)mkdir(scratch_path("stars"), 0700);
    scratch_write(name, n_bytes - 1, data + 1);
    char *file = strdup(scratch_path(name)), *folder = strdup(scratch_path("stars"));
    const char *const paths[] = {name == names[3] ? folder : file};
    equant_status status = equant_dataset_from_files(1, paths, &options, &made);
    if (status == EQUANT_SUCCESS)
        PROMISE(made != NULL && equant_dataset_n_obs(made) > 0);
    else
        PROMISE(made == NULL && equant_last_error()[0] != '\0');
    equant_dataset_free(made);
    unlink(file);
    free(file);
    free(folder);
    return 0;
}
