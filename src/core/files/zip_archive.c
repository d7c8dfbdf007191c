#include "core/files/zip_archive.h"

#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"

bool zip_archive_is(const char *head, size_t n_bytes)
{
    /* The last is an archive without members. */
    return n_bytes >= 4 &&
           (memcmp(head, "PK\x03\x04", 4) == 0 || memcmp(head, "PK\x05\x06", 4) == 0);
}

#ifndef EQUANT_HAVE_LIBZIP

equant_status zip_archive_open(const char *path, zip_archive **archive)
{
    (void)archive;
    return status_fail(EQUANT_ERROR_UNAVAILABLE,
                       "%s: this is a zip archive, and this build of equant has no libzip; install "
                       "it (libzip-dev) and build again, or unpack the archive with unzip",
                       path);
}

void zip_archive_close(zip_archive *archive)
{
    (void)archive;
}

const char *zip_archive_path(const zip_archive *archive)
{
    (void)archive;
    return "";
}

size_t zip_archive_n_members(const zip_archive *archive)
{
    (void)archive;
    return 0;
}

const char *zip_archive_member(const zip_archive *archive, size_t index)
{
    (void)archive;
    (void)index;
    return "";
}

equant_status zip_archive_stream(zip_archive *archive, const char *name, bool owns_archive,
                                 FILE **stream)
{
    (void)archive;
    (void)owns_archive;
    (void)stream;
    return status_fail(EQUANT_ERROR_UNAVAILABLE, "%s: this build of equant has no libzip", name);
}

#else

#include <errno.h>
#include <stdint.h>
#include <zip.h>

#include "core/files/input_bound.h"
#include "core/files/packed_name.h"
#include "core/files/read_only_stream.h"
#include "platform/system_file.h"

struct zip_archive {
    char *path;
    zip_t *zip;
    uint64_t n_packed;   /* bytes of the archive */
    uint64_t n_unpacked; /* bytes that were read of its members */
    size_t n_members;
    zip_uint64_t *members; /* [n_members] their places */
};

const char *zip_archive_path(const zip_archive *archive)
{
    return archive->path;
}

size_t zip_archive_n_members(const zip_archive *archive)
{
    return archive->n_members;
}

const char *zip_archive_member(const zip_archive *archive, size_t index)
{
    return zip_get_name(archive->zip, archive->members[index], 0);
}

/* ---- opening ------------------------------------------------------------ */

static equant_status fail_to_open(const char *path, int code)
{
    if (code == ZIP_ER_MEMORY)
        return status_out_of_memory();
    if (code == ZIP_ER_OPEN || code == ZIP_ER_READ || code == ZIP_ER_NOENT)
        return status_fail(EQUANT_ERROR_IO, "%s: cannot be read: %s", path, strerror(errno));
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s: this zip archive is cut or broken: its list of contents cannot be "
                       "read; get it again",
                       path);
}

/* One member, as the list of contents has it. */
static equant_status check_member(const zip_archive *archive, zip_uint64_t i, uint64_t *n_claimed)
{
    zip_stat_t about;
    zip_stat_init(&about);
    if (zip_stat_index(archive->zip, i, 0, &about) != 0 || (about.valid & ZIP_STAT_NAME) == 0 ||
        (about.valid & ZIP_STAT_SIZE) == 0)
        return fail_to_open(archive->path, ZIP_ER_INCONS);
    if (packed_name_leads_out(about.name))
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this zip archive has a member called '%.80s', which leads out of "
                           "it; such archives are not read",
                           archive->path, about.name);
    if ((about.valid & ZIP_STAT_ENCRYPTION_METHOD) != 0 && about.encryption_method != ZIP_EM_NONE)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: the member '%.80s' of this zip archive is encrypted; unpack it "
                           "with its password",
                           archive->path, about.name);
    if (strcmp(about.name, "[Content_Types].xml") == 0)
        return status_fail(EQUANT_ERROR_FORMAT,
                           "%s: this is a spreadsheet or a document; save the sheet as CSV",
                           archive->path);
    *n_claimed = about.size < UINT64_MAX - *n_claimed ? *n_claimed + about.size : UINT64_MAX;
    if (input_bound_allows(archive->n_packed, *n_claimed))
        return EQUANT_SUCCESS;
    return status_fail(EQUANT_ERROR_FORMAT,
                       "%s: this zip archive unpacks to more than %d times its size, which tables "
                       "do not; unpack it if it is meant",
                       archive->path, INPUT_BOUND_RATIO);
}

static equant_status list_members(zip_archive *archive)
{
    zip_int64_t n = zip_get_num_entries(archive->zip, 0);
    uint64_t n_claimed = 0;
    archive->members = malloc((n > 0 ? (size_t)n : 1) * sizeof *archive->members);
    if (archive->members == NULL)
        return status_out_of_memory();
    for (zip_uint64_t i = 0; i < (zip_uint64_t)n; i++) {
        equant_status status = check_member(archive, i, &n_claimed);
        if (status != EQUANT_SUCCESS)
            return status;
        if (packed_name_is_table(zip_get_name(archive->zip, i, 0)))
            archive->members[archive->n_members++] = i;
    }
    return EQUANT_SUCCESS;
}

equant_status zip_archive_open(const char *path, zip_archive **archive)
{
    system_file_facts about;
    int code = 0;
    zip_archive *made = calloc(1, sizeof *made);
    if (made == NULL || (made->path = strdup(path)) == NULL) {
        free(made);
        return status_out_of_memory();
    }
    made->zip = zip_open(path, ZIP_RDONLY, &code);
    made->n_packed = system_file_find(path, &about) ? about.n_bytes : 0;
    equant_status status = made->zip != NULL ? list_members(made) : fail_to_open(path, code);
    if (status == EQUANT_SUCCESS)
        *archive = made;
    else
        zip_archive_close(made);
    return status;
}

void zip_archive_close(zip_archive *archive)
{
    if (archive == NULL)
        return;
    if (archive->zip != NULL)
        zip_discard(archive->zip);
    free(archive->members);
    free(archive->path);
    free(archive);
}

/* ---- members ------------------------------------------------------------ */

typedef struct member_reader {
    zip_archive *archive;
    bool owns_archive;
    zip_file_t *file;
    uint64_t n_claimed, n_read;
} member_reader;

static ssize_t member_read(void *cookie, char *buffer, size_t n)
{
    member_reader *reader = cookie;
    zip_int64_t n_new = zip_fread(reader->file, buffer, n);
    if (n_new < 0 || (n_new == 0 && n > 0 && reader->n_read != reader->n_claimed)) {
        errno = EBADMSG;
        return -1;
    }
    reader->n_read += (uint64_t)n_new;
    reader->archive->n_unpacked += (uint64_t)n_new;
    if (!input_bound_allows(reader->archive->n_packed, reader->archive->n_unpacked)) {
        errno = EFBIG;
        return -1;
    }
    return (ssize_t)n_new;
}

static int member_close(void *cookie)
{
    member_reader *reader = cookie;
    if (reader->file != NULL)
        zip_fclose(reader->file);
    if (reader->owns_archive)
        zip_archive_close(reader->archive);
    free(reader);
    return 0;
}

static equant_status open_member(member_reader *reader, const char *name)
{
    zip_archive *archive = reader->archive;
    zip_stat_t about;
    zip_stat_init(&about);
    zip_int64_t place = zip_name_locate(archive->zip, name, 0);
    if (place < 0)
        return status_fail(EQUANT_ERROR_IO, "%s: this zip archive has no member '%.200s'",
                           archive->path, name);
    if (zip_stat_index(archive->zip, (zip_uint64_t)place, 0, &about) == 0)
        reader->n_claimed = about.size;
    reader->file = zip_fopen_index(archive->zip, (zip_uint64_t)place, 0);
    if (reader->file != NULL)
        return EQUANT_SUCCESS;
    return zip_error_code_zip(zip_get_error(archive->zip)) == ZIP_ER_MEMORY
               ? status_out_of_memory()
               : status_fail(EQUANT_ERROR_FORMAT,
                             "%s: the member '%.200s' of this zip archive cannot be read (%s); get "
                             "it again, or unpack it with unzip",
                             archive->path, name, zip_strerror(archive->zip));
}

equant_status zip_archive_stream(zip_archive *archive, const char *name, bool owns_archive,
                                 FILE **stream)
{
    member_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        if (owns_archive)
            zip_archive_close(archive);
        return status_out_of_memory();
    }
    *reader = (member_reader){.archive = archive, .owns_archive = owns_archive};
    equant_status status = open_member(reader, name);
    FILE *made = NULL;
    if (status == EQUANT_SUCCESS) {
        made = read_only_stream_open(reader, member_read, member_close);
        status = made != NULL ? EQUANT_SUCCESS : status_out_of_memory();
    }
    if (status == EQUANT_SUCCESS)
        *stream = made;
    else
        member_close(reader);
    return status;
}
#endif
