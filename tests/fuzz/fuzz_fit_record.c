/* Any bytes as one of the files of a fit's folder: the first byte says which. A fit comes out that
 * is written and read again as the same, or a sentence, and then nothing. */
#include "scratch.h"

static const char *const members[] = {"fit.json",        "origin.json",     "planets.ecsv",
                                      "parameters.ecsv", "covariance.ecsv", "residuals.ecsv"};
enum { N_MEMBERS = sizeof members / sizeof members[0] };

static struct {
    char *folder, *again;
    struct {
        size_t n;
        char *bytes;
    } members[N_MEMBERS]; /* as they were written */
} kept;

static char *read_all(const char *path, size_t *n)
{
    FILE *stream = fopen(path, "rb");
    PROMISE(stream != NULL);
    char *bytes = malloc(1 << 20);
    PROMISE(bytes != NULL);
    *n = fread(bytes, 1, 1 << 20, stream);
    fclose(stream);
    return bytes;
}

/* A fit with noise and two instruments. */
static void make_folder(void)
{
    equant_dataset *star = scratch_star(
        "time,rv,err,instrument\n2455000,11,2,a\n2455003,7,2,b\n2455007,-9,2,a\n2455010,-3,2,b\n"
        "2455013,12,2,a\n2455016,2,2,b\n2455019,-13,2,a\n2455023,4,2,b\n2455026,10,2,a\n"
        "2455029,-4,2,b\n2455032,-8,2,a\n2455036,9,2,b\n2455039,8,2,a\n2455042,-9,2,b\n");
    const equant_engine_options engine = {
        .struct_size = sizeof engine, .backend = "cpu", .n_threads = 1};
    const equant_fit_options options = {.struct_size = sizeof options,
                                        .engine = &engine,
                                        .n_planets = 1,
                                        .period_min_days = 12.0,
                                        .period_max_days = 13.0,
                                        .noise = "rotation(period=20:30)",
                                        .star_mass = 1.1};
    equant_fit *fit = NULL;
    PROMISE(equant_fit_star(star, &options, &fit) == EQUANT_SUCCESS);
    kept.folder = strdup(scratch_path("fit"));
    kept.again = strdup(scratch_path("again"));
    PROMISE(equant_fit_write(fit, star, NULL, kept.folder) == EQUANT_SUCCESS);
    equant_fit_free(fit);
    equant_dataset_free(star);
    for (size_t i = 0; i < N_MEMBERS; i++) {
        char name[64];
        snprintf(name, sizeof name, "fit/%s", members[i]);
        kept.members[i].bytes = read_all(scratch_path(name), &kept.members[i].n);
    }
}

static void write_member(size_t i, size_t n, const void *bytes)
{
    char name[64];
    snprintf(name, sizeof name, "fit/%s", members[i]);
    scratch_write(name, n, bytes);
}

/* What was read is written, read and written once more: the last two are the same. */
static void write_again(const equant_fit *fit, const equant_dataset *star)
{
    char *first = NULL, *second = NULL;
    size_t n_first, n_second;
    equant_fit *next = NULL;
    equant_dataset *next_star = NULL;
    if (equant_fit_write(fit, star, NULL, kept.again) != EQUANT_SUCCESS)
        return;
    PROMISE(equant_fit_text(fit, star, NULL, &first, &n_first) == EQUANT_SUCCESS);
    if (equant_fit_read(kept.again, &next, &next_star, NULL) == EQUANT_SUCCESS) {
        PROMISE(equant_fit_text(next, next_star, NULL, &second, &n_second) == EQUANT_SUCCESS);
        PROMISE(equant_fit_n_planets(next) == equant_fit_n_planets(fit));
    }
    equant_fit_text_free(first);
    equant_fit_text_free(second);
    equant_fit_free(next);
    equant_dataset_free(next_star);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    equant_fit *fit = NULL;
    equant_dataset *star = NULL;
    equant_origin *origin = NULL;
    if (n_bytes == 0)
        return 0;
    if (kept.folder == NULL)
        make_folder();
    size_t which = data[0] % N_MEMBERS;
    write_member(which, n_bytes - 1, data + 1);
    if (equant_fit_read(kept.folder, &fit, &star, &origin) == EQUANT_SUCCESS) {
        PROMISE(fit != NULL && star != NULL && origin != NULL);
        PROMISE(equant_origin_options(origin) != NULL && equant_origin_version(origin) != NULL);
        write_again(fit, star);
    } else
        PROMISE(fit == NULL && star == NULL && origin == NULL && equant_last_error()[0] != '\0');
    equant_fit_free(fit);
    equant_dataset_free(star);
    equant_origin_free(origin);
    write_member(which, kept.members[which].n, kept.members[which].bytes);
    return 0;
}
