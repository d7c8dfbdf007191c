/* Any bytes as a .sys: the names of files lie inside the text, and their paths
 * stay what they were. */
#include <string.h>

#include "data/formats/systemic.h"
#include "fuzz_target.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    const char *text = (const char *)data;
    text_lines lines = text_lines_begin(text, n_bytes);
    text_slice file;
    size_t n_files = 0;
    while (systemic_next_file(&lines, &file)) {
        PROMISE(file.n > 0 && file.start >= text && file.start + file.n <= text + n_bytes);
        char *path = systemic_path("folder/star.sys", file);
        PROMISE(path != NULL);
        size_t n_folder = file.start[0] == '/' ? 0 : strlen("folder/");
        PROMISE(memcmp(path + n_folder, file.start, file.n) == 0);
        free(path);
        n_files++;
    }
    PROMISE(n_files + systemic_n_transit_files(text, n_bytes) <= n_bytes);
    systemic_is(text, n_bytes);
    return 0;
}
