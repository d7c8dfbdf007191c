/* The file of a run, changed on purpose and sealed again: the bytes say which numbers, texts and
 * names are changed, since any bytes at all would only try the library that reads HDF5. A
 * posterior comes out that can be summarised and resumed, or a sentence. */
#include <hdf5.h>
#include <math.h>
#include <stdbool.h>
#include <sys/stat.h>

#include "equant.h"
#include "output/sealed_file.h"
#include "scratch.h"

enum { BYTES_PER_CHANGE = 6, MOST_CHANGES = 8, MOST_OBJECTS = 64, MOST_PATH = 128 };

static struct {
    size_t n;
    uint8_t *bytes;
} run; /* as it was written, without its seal */

static equant_dataset *small_star(void)
{
    static const char table[] = "time,rv,err,instrument\n2455000,1,2,a\n2455010,5,2,b\n"
                                "2455017,-3,2,a\n2455031,2,2,b\n2455040,0,2,a\n2455052,4,2,b\n"
                                "2455060,-5,2,a\n2455071,3,2,b\n2455080,1,2,a\n";
    return scratch_star(table);
}

/* A short run, with a ladder and its evidence. */
static void make_run(void)
{
    equant_dataset *star = small_star();
    equant_engine_options engine = {.struct_size = sizeof engine, .backend = "cpu", .n_threads = 1};
    equant_sample_options options = {.struct_size = sizeof options,
                                     .engine = &engine,
                                     .n_planets = 1,
                                     .start = EQUANT_START_PRIOR,
                                     .n_populations = 2,
                                     .n_walkers = 40,
                                     .n_temperatures = 2,
                                     .n_burn_in = 20,
                                     .max_steps = 40,
                                     .path = scratch_path("run.nc")};
    equant_posterior *posterior = NULL;
    PROMISE(equant_sample(star, &options, &posterior) == EQUANT_SUCCESS);
    equant_posterior_free(posterior);
    equant_dataset_free(star);
    FILE *stream = fopen(scratch_path("run.nc"), "rb");
    struct stat about;
    PROMISE(stream != NULL && fstat(fileno(stream), &about) == 0);
    run.n = (size_t)about.st_size - 16; /* the seal */
    run.bytes = malloc(run.n);
    PROMISE(run.bytes != NULL && fread(run.bytes, 1, run.n, stream) == run.n);
    fclose(stream);
}

static double strange(uint8_t which)
{
    static const double values[] = {0.0,  -0.0, 1.0,        -1.0,  2.0, 0.5,      1e-300,
                                    1e17, -1e9, 2147483648, 1e300, NAN, INFINITY, -INFINITY};
    return values[which % (sizeof values / sizeof *values)];
}

/* The paths of all groups and variables of the file. */
typedef struct contents {
    size_t n_groups, n_variables;
    char groups[MOST_OBJECTS][MOST_PATH], variables[MOST_OBJECTS][MOST_PATH];
} contents;

static herr_t add_object(hid_t object, const char *path, const H5O_info_t *info, void *all)
{
    contents *seen = all;
    (void)object;
    if (strlen(path) >= MOST_PATH)
        return 0;
    if (info->type == H5O_TYPE_GROUP && seen->n_groups < MOST_OBJECTS)
        strcpy(seen->groups[seen->n_groups++], path);
    if (info->type == H5O_TYPE_DATASET && seen->n_variables < MOST_OBJECTS)
        strcpy(seen->variables[seen->n_variables++], path);
    return 0;
}

static void change_number(hid_t file, const char *path, uint8_t where, uint8_t what)
{
    hid_t variable = H5Dopen2(file, path, H5P_DEFAULT);
    hid_t space = H5Dget_space(variable), one = H5Screate(H5S_SCALAR), type = H5Dget_type(variable);
    hsize_t length[H5S_MAX_RANK], index[H5S_MAX_RANK];
    int n_dimensions = H5Sget_simple_extent_dims(space, length, NULL);
    bool is_empty = H5Sget_simple_extent_npoints(space) < 1;
    double value = strange(what);
    for (int i = 0; i < n_dimensions && !is_empty; i++)
        index[i] = (hsize_t)where * 7u % length[i];
    bool is_number = H5Tget_class(type) == H5T_FLOAT || H5Tget_class(type) == H5T_INTEGER;
    if (n_dimensions > 0 && !is_empty)
        H5Sselect_elements(space, H5S_SELECT_SET, 1, index);
    if (is_number && !is_empty)
        H5Dwrite(variable, H5T_NATIVE_DOUBLE, one, n_dimensions > 0 ? space : H5S_ALL, H5P_DEFAULT,
                 &value);
    H5Tclose(type);
    H5Sclose(one);
    H5Sclose(space);
    H5Dclose(variable);
}

static void put_attribute(hid_t group, const char *name, hid_t type, const void *value)
{
    hid_t one = H5Screate(H5S_SCALAR);
    hid_t made = H5Acreate2(group, name, type, one, H5P_DEFAULT, H5P_DEFAULT);
    H5Awrite(made, type, value);
    H5Aclose(made);
    H5Sclose(one);
}

/* Takes an attribute away, or makes another of it. */
static void change_attribute(hid_t file, const char *path, uint8_t which, uint8_t what, uint8_t how)
{
    static const char *const texts[] = {"0",  "-1",    "1e999", "planets=99999999",
                                        "\n", "a=b;c", "nan",   "18446744073709551615"};
    const char *text = texts[what % (sizeof texts / sizeof *texts)];
    hid_t group = H5Gopen2(file, path, H5P_DEFAULT);
    int n = H5Aget_num_attrs(group);
    char name[MOST_PATH] = "";
    if (n > 0) {
        hid_t old = H5Aopen_by_idx(group, ".", H5_INDEX_NAME, H5_ITER_INC, which % (unsigned)n,
                                   H5P_DEFAULT, H5P_DEFAULT);
        H5Aget_name(old, sizeof name, name);
        H5Aclose(old);
        H5Adelete(group, name);
    }
    double number = strange(what);
    hid_t letters = H5Tcopy(H5T_C_S1);
    H5Tset_size(letters, strlen(text));
    if (n > 0 && how % 3 == 0)
        put_attribute(group, name, letters, text);
    else if (n > 0 && how % 3 == 1)
        put_attribute(group, name, H5T_NATIVE_DOUBLE, &number);
    H5Tclose(letters);
    H5Gclose(group);
}

/* Another name for a variable, which may be that of its neighbour; or nothing in its place. */
static void move_variable(hid_t file, const char *from, const char *to, uint8_t how)
{
    char other[2 * MOST_PATH];
    snprintf(other, sizeof other, "%s_", to);
    if (how % 2 == 0) {
        H5Ldelete(file, from, H5P_DEFAULT);
        return;
    }
    H5Lmove(file, to, file, other, H5P_DEFAULT, H5P_DEFAULT);
    H5Lmove(file, from, file, to, H5P_DEFAULT, H5P_DEFAULT);
}

static void apply(hid_t file, const uint8_t change[BYTES_PER_CHANGE])
{
    static contents seen;
    seen.n_groups = seen.n_variables = 0;
    H5Ovisit1(file, H5_INDEX_NAME, H5_ITER_INC, add_object, &seen);
    if (seen.n_groups == 0 || seen.n_variables == 0)
        return;
    const char *variable = seen.variables[change[1] % seen.n_variables];
    switch (change[0] % 4) {
    case 0:
    case 1:
        change_number(file, variable, change[2], change[3]);
        break;
    case 2:
        change_attribute(file, seen.groups[change[1] % seen.n_groups], change[2], change[3],
                         change[4]);
        break;
    default:
        move_variable(file, variable, seen.variables[change[2] % seen.n_variables], change[3]);
    }
}

/* The run with its changes, sealed. False where HDF5 would not have them. */
static bool write_changed(const uint8_t *changes, size_t n_changes)
{
    scratch_write("changed.nc", run.n, run.bytes);
    hid_t file = H5Fopen(scratch_path("changed.nc"), H5F_ACC_RDWR, H5P_DEFAULT);
    PROMISE(file >= 0);
    for (size_t i = 0; i < n_changes; i++)
        apply(file, changes + i * BYTES_PER_CHANGE);
    if (H5Fclose(file) < 0)
        return false;
    int descriptor = open(scratch_path("changed.nc"), O_RDONLY);
    struct stat about;
    PROMISE(descriptor >= 0 && fstat(descriptor, &about) == 0);
    size_t n = (size_t)about.st_size;
    uint8_t *bytes = malloc(n);
    PROMISE(bytes != NULL && read(descriptor, bytes, n) == (ssize_t)n);
    close(descriptor);
    descriptor = open(scratch_path("sealed.nc"), O_WRONLY | O_CREAT | O_TRUNC, 0600);
    PROMISE(descriptor >= 0 && sealed_file_write(descriptor, "run", n, bytes) == EQUANT_SUCCESS);
    close(descriptor);
    free(bytes);
    return true;
}

static void check_posterior(const equant_posterior *posterior)
{
    PROMISE(equant_posterior_dataset(posterior) != NULL);
    for (size_t i = 0; i < equant_posterior_n_quantities(posterior); i++) {
        equant_sampled_quantity info = {.struct_size = sizeof info};
        if (equant_posterior_quantity(posterior, i, &info) != EQUANT_SUCCESS)
            PROMISE(strlen(equant_last_error()) > 0);
    }
}

/* Some steps of the sampler: the evidence behind the last one takes hundreds of times as long as
 * the file and the steps together, and reads nothing. */
static int stop_soon(const equant_progress_report *report, void *context)
{
    (void)context;
    return report->step > 42;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    if (run.bytes == NULL) {
        H5Eset_auto2(H5E_DEFAULT, NULL, NULL); /* what HDF5 thinks of it is not looked at */
        make_run();
    }
    size_t n_changes = n_bytes / BYTES_PER_CHANGE;
    if (!write_changed(data, n_changes < MOST_CHANGES ? n_changes : MOST_CHANGES))
        return 0;
    equant_posterior *posterior = NULL;
    equant_status status = equant_posterior_open(scratch_path("sealed.nc"), &posterior);
    PROMISE((status == EQUANT_SUCCESS) == (posterior != NULL));
    PROMISE(status != EQUANT_ERROR_INTERNAL);
    if (status == EQUANT_SUCCESS)
        check_posterior(posterior);
    else
        PROMISE(strlen(equant_last_error()) > 0);
    equant_posterior_free(posterior);
    equant_engine_options engine = {.struct_size = sizeof engine, .backend = "cpu", .n_threads = 1};
    equant_sample_options options = {.struct_size = sizeof options,
                                     .engine = &engine,
                                     .max_steps = 1000000,
                                     .progress = stop_soon};
    posterior = NULL;
    status = equant_sample_resume(scratch_path("sealed.nc"), &options, &posterior);
    PROMISE((status == EQUANT_SUCCESS) == (posterior != NULL));
    equant_posterior_free(posterior);
    return 0;
}
