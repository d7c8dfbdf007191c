#include "output/sealed_file.h"

#include <errno.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "core/status_fail.h"
#include "platform/system_file.h"

/* A mark, then the checksum, its lowest byte first. */
static const char mark[8] = "equant\x1a\n";
enum { N_MARK = sizeof mark, N_SEAL = N_MARK + 8, N_BUFFER = 1 << 16 };

/* FNV-1a (Fowler, Noll & Vo): finds damage, and does not pretend to stop a forger. */
#define SUM_OF_NOTHING 0xcbf29ce484222325u

static uint64_t add_bytes(uint64_t sum, size_t n, const unsigned char *bytes)
{
    for (size_t i = 0; i < n; i++)
        sum = (sum ^ bytes[i]) * 0x100000001b3u;
    return sum;
}

/* Reads up to n bytes, fewer only at the end of the file; -1 on an error. */
static ptrdiff_t read_fully(int descriptor, unsigned char *bytes, size_t n)
{
    size_t n_read = 0;
    while (n_read < n) {
        ptrdiff_t got = system_file_read(descriptor, bytes + n_read, n - n_read);
        if (got == 0)
            break;
        if (got < 0 && errno != EINTR)
            return -1;
        n_read += got > 0 ? (size_t)got : 0;
    }
    return (ptrdiff_t)n_read;
}

/* The sum of the first n bytes, or of fewer where the file ends before; 0 or an errno. */
static int sum_bytes(int descriptor, uint64_t n, uint64_t *sum)
{
    unsigned char *buffer = malloc(N_BUFFER);
    ptrdiff_t got = 1;
    int error = buffer != NULL ? 0 : ENOMEM;
    *sum = SUM_OF_NOTHING;
    while (error == 0 && n > 0 && got > 0) {
        got = read_fully(descriptor, buffer, n < N_BUFFER ? (size_t)n : N_BUFFER);
        error = got < 0 ? errno : 0;
        if (got > 0) {
            *sum = add_bytes(*sum, (size_t)got, buffer);
            n -= (uint64_t)got;
        }
    }
    free(buffer);
    return error;
}

static void make_seal(uint64_t sum, unsigned char seal[N_SEAL])
{
    memcpy(seal, mark, N_MARK);
    for (int i = 0; i < 8; i++)
        seal[N_MARK + i] = (unsigned char)(sum >> 8 * i);
}

/* 0 or an errno. */
static int write_fully(int descriptor, const unsigned char *bytes, size_t n)
{
    for (size_t done = 0; done < n;) {
        ptrdiff_t written = system_file_write(descriptor, bytes + done, n - done);
        if (written < 0 && errno != EINTR)
            return errno;
        done += written > 0 ? (size_t)written : 0;
    }
    return 0;
}

equant_status sealed_file_write(int descriptor, const char *name, size_t n, const void *bytes)
{
    unsigned char seal[N_SEAL];
    make_seal(add_bytes(SUM_OF_NOTHING, n, bytes), seal);
    int error = write_fully(descriptor, bytes, n);
    if (error == 0)
        error = write_fully(descriptor, seal, N_SEAL);
    if (error != 0)
        return status_fail(EQUANT_ERROR_IO, "%s: cannot be written: %s", name, strerror(error));
    return EQUANT_SUCCESS;
}

bool sealed_file_is_ours(int descriptor)
{
    unsigned char found[N_SEAL];
    return system_file_seek(descriptor, -(int64_t)N_SEAL, SEEK_END) >= 0 &&
           read_fully(descriptor, found, N_SEAL) == N_SEAL && memcmp(found, mark, N_MARK) == 0;
}

/* 0 or an errno. */
static int check(int descriptor, bool *is_intact)
{
    uint64_t sum;
    unsigned char expected[N_SEAL], found[N_SEAL];
    int64_t n = system_file_seek(descriptor, 0, SEEK_END);
    if (n < 0)
        return errno;
    *is_intact = false;
    if (n < N_SEAL)
        return 0;
    if (system_file_seek(descriptor, 0, SEEK_SET) < 0)
        return errno;
    int error = sum_bytes(descriptor, (uint64_t)(n - N_SEAL), &sum);
    if (error != 0)
        return error;
    make_seal(sum, expected);
    ptrdiff_t got = read_fully(descriptor, found, N_SEAL);
    *is_intact = got == N_SEAL && memcmp(found, expected, N_SEAL) == 0;
    return got < 0 ? errno : 0;
}

equant_status sealed_file_check(const char *path, bool *is_intact)
{
    int descriptor = system_file_open(path, SYSTEM_FILE_READ);
    int error = descriptor >= 0 ? check(descriptor, is_intact) : errno;
    if (descriptor >= 0)
        system_file_close(descriptor);
    if (error == EISDIR)
        return status_fail(EQUANT_ERROR_IO, "%s: this is a folder; name the file of a run", path);
    if (error != 0)
        return status_fail(EQUANT_ERROR_IO, "%s: cannot be read: %s", path, strerror(error));
    return EQUANT_SUCCESS;
}

equant_status sealed_file_require(const char *path)
{
    bool is_intact;
    equant_status status = sealed_file_check(path, &is_intact);
    if (status == EQUANT_SUCCESS && !is_intact)
        status = status_fail(EQUANT_ERROR_FORMAT,
                             "%s: this is not the file of a run, or it was cut short or changed "
                             "since equant wrote it",
                             path);
    return status;
}
