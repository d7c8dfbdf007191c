/* Runs a fuzz target without libFuzzer: on every file of the folders given, and
 * on a fixed set of mutations of each. */
#include <dirent.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>

#include "fuzz_target.h"

enum { MAX_FILE = 1 << 16 };

/* A fixed sequence of bits, the same on every run. */
static uint32_t next_bits(uint64_t *state)
{
    *state = *state * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
    return (uint32_t)(*state >> 33);
}

/* The target gets a copy of exactly its size, so that a sanitizer or valgrind
 * sees each byte read beyond it. */
static void run_on_copy(const uint8_t *bytes, size_t n)
{
    uint8_t *copy = malloc(n > 0 ? n : 1);
    PROMISE(copy != NULL);
    memcpy(copy, bytes, n);
    LLVMFuzzerTestOneInput(copy, n);
    free(copy);
}

static void run_mutations(const uint8_t *bytes, size_t n, uint64_t seed)
{
    static const char telling[] = "\n\r\t ,;\"'#-+.eED0919[](){}:b\\\xEF\xFF\x80";
    static uint8_t mutated[2 * MAX_FILE];
    for (int i = 0; i < N_MUTATIONS; i++) {
        size_t length = n;
        memcpy(mutated, bytes, n);
        int n_changes = 1 + (int)(next_bits(&seed) % 4);
        for (int j = 0; j < n_changes && length > 0; j++) {
            size_t place = next_bits(&seed) % length;
            switch (next_bits(&seed) % 5) {
            case 0:
                mutated[place] = (uint8_t)next_bits(&seed);
                break;
            case 1:
                mutated[place] = (uint8_t)telling[next_bits(&seed) % (sizeof telling - 1)];
                break;
            case 2: /* cut the rest off */
                length = place;
                break;
            case 3: /* drop one byte */
                memmove(mutated + place, mutated + place + 1, length - place - 1);
                length--;
                break;
            default: /* say one byte twice */
                if (length + 1 < sizeof mutated) {
                    memmove(mutated + place + 1, mutated + place, length - place);
                    length++;
                }
            }
        }
        run_on_copy(mutated, length);
    }
}

static bool run_file(const char *path, uint64_t seed)
{
    static uint8_t bytes[MAX_FILE];
    struct stat about;
    if (stat(path, &about) != 0 || !S_ISREG(about.st_mode))
        return false;
    FILE *stream = fopen(path, "rb");
    PROMISE(stream != NULL);
    size_t n = fread(bytes, 1, sizeof bytes, stream);
    fclose(stream);
    run_on_copy(bytes, n);
    run_mutations(bytes, n, seed);
    return true;
}

int main(int n_arguments, char **arguments)
{
    size_t n_files = 0;
    for (int i = 1; i < n_arguments; i++) {
        DIR *folder = opendir(arguments[i]);
        PROMISE(folder != NULL);
        struct dirent *entry;
        while ((entry = readdir(folder)) != NULL) {
            char path[4096];
            snprintf(path, sizeof path, "%s/%s", arguments[i], entry->d_name);
            n_files += run_file(path, strlen(entry->d_name));
        }
        closedir(folder);
    }
    printf("%zu files, each with %d mutations\n", n_files, (int)N_MUTATIONS);
    return n_files > 0 ? EXIT_SUCCESS : EXIT_FAILURE;
}
