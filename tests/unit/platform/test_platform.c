/* What src/platform promises of files, folders, streams and clocks. Without cmocka, so that the
 * same program runs where that is not, as under wine (docs/release.md). */
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "platform/system_clock.h"
#include "platform/system_file.h"
#include "platform/system_folder.h"
#include "platform/system_locale.h"
#include "platform/system_memory.h"
#include "platform/system_stream.h"
#include "platform/system_threads.h"

static int n_failed;
static char folder[64];

static void check(bool holds, const char *what)
{
    if (!holds)
        printf("FAILED: %s (errno %d)\n", what, errno);
    n_failed += !holds;
}

/* Blanks and umlauts in the name. */
static const char *place(const char *name)
{
    static char path[160];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    return path;
}

static void test_folder(void)
{
    uint64_t number;
    check(system_file_random(&number), "a random number");
    snprintf(folder, sizeof folder, "stern \xc3\xa4 %016llx", (unsigned long long)number);
    check(system_folder_make(folder), "a folder is made");
    check(!system_folder_make(folder) && errno == EEXIST, "and not made twice");
    check(system_folder_is_writable(folder), "a folder may be written");
    check(!system_folder_is_writable("is not there"), "an absent one may not");
    check(system_folder_length("a/b.csv") == 2 && system_folder_length("b.csv") == 0,
          "the folder of a path");
}

static void test_file(void)
{
    char text[8] = "";
    system_file_facts facts, again;
    int file = system_file_open(place("a b"), SYSTEM_FILE_NEW);
    check(file >= 0, "a new file");
    check(system_file_open(place("a b"), SYSTEM_FILE_NEW) < 0 && errno == EEXIST, "is new once");
    check(system_file_write(file, "1\n2\n", 4) == 4 && system_file_flush(file), "is written");
    check(system_file_rename(place("a b"), "part") && system_file_rename("part", place("b")),
          "is renamed while it is open");
    check(system_file_close(file), "is closed");
    check(system_file_find(place("b"), &facts) && facts.is_regular && facts.n_bytes == 4,
          "has four bytes");
    file = system_file_open(place("b"), SYSTEM_FILE_READ);
    check(system_file_find_open(file, &again) && system_file_is_same(&facts, &again), "is itself");
    check(system_file_read(file, text, 2) == 2 && system_file_peek(file, text, 8) == 4 &&
              system_file_read(file, text + 4, 2) == 2 && memcmp(text, "1\n2\n2\n", 6) == 0,
          "is read from where it stands");
    check(system_file_close(file), "is closed again");
    check(!system_file_find(place("b/member"), &facts) && errno == ENOTDIR, "is no folder");
    check(!system_file_find(place("c"), &facts) && errno == ENOENT, "another is absent");
}

static void test_lock(void)
{
    int one = system_file_open(place("lock"), SYSTEM_FILE_LOCKED);
    int other = system_file_open(place("lock"), SYSTEM_FILE_LOCKED);
    check(system_file_try_lock(one, false) == 0, "a lock");
    check(system_file_try_lock(other, false) == SYSTEM_FILE_BUSY, "is for one");
    check(system_file_write(one, "me", 2) == 2, "is signed");
    char text[4] = "";
    check(system_file_peek(other, text, 2) == 2 && strcmp(text, "me") == 0, "and read by others");
    check(system_file_remove(place("lock")), "is removed while it is open");
    system_file_close(one);
    system_file_close(other);
    check(!system_file_exists(place("lock")), "is gone");
}

static void test_list(void)
{
    int n = 0;
    const char *name;
    system_folder *list = system_folder_open(folder);
    check(list != NULL, "a folder is read");
    while (list && (name = system_folder_next(list)) != NULL)
        n += strcmp(name, "b") == 0 ? 1 : 100;
    check(n == 1, "and has one file");
    if (list)
        system_folder_close(list);
    char *whole = system_folder_resolve(place("b"));
    check(whole && system_file_exists(whole) && strstr(whole, folder), "whose whole name is known");
    free(whole);
}

static ssize_t give(void *cookie, char *buffer, size_t n)
{
    int *left = cookie;
    ssize_t given = *left < (int)n ? *left : (ssize_t)n;
    memset(buffer, 'x', (size_t)given);
    *left -= (int)given;
    return given;
}

static int is_closed;

static int close_cookie(void *cookie)
{
    (void)cookie;
    is_closed++;
    return 0;
}

static void test_streams(void)
{
    char *line = NULL, *text = NULL;
    size_t room = 0, n = 0;
    FILE *file = system_stream_open(place("b"), "r");
    check(file && system_stream_line(&line, &room, file) == 2 && strcmp(line, "1\n") == 0 &&
              system_stream_line(&line, &room, file) == 2 &&
              system_stream_line(&line, &room, file) == -1,
          "lines of a file");
    fclose(file);
    free(line);
    file = system_stream_open(place("b"), "w");
    check(file && fputs("3\n", file) >= 0 && fclose(file) == 0, "a file is written anew");
    system_file_facts facts;
    check(system_file_find(place("b"), &facts) && facts.n_bytes == 2, "without a carriage return");
    FILE *memory = system_stream_to_text(&text, &n);
    check(memory && fprintf(memory, "%d\n", 12345) == 6 && system_stream_close_text(memory) &&
              n == 6 && strcmp(text, "12345\n") == 0,
          "a text by a stream");
    free(text);
    int left = 100000, got = 0;
    file = system_stream_from(&left, give, close_cookie);
    while (file && getc(file) == 'x')
        got++;
    check(file && fclose(file) == 0 && got == 100000 && is_closed == 1, "a stream of a function");
}

static void test_rest(void)
{
    char text[32];
    double start = system_clock_s();
    check(start > 0.0 && system_clock_s() >= start, "a clock goes on");
    check(system_clock_utc_s() > 1.7e9, "it is later than 2023");
    system_clock_text(text, sizeof text, "%Y-%m-%dT%H:%M:%S");
    check(strlen(text) == 19 && text[10] == 'T', "a date");
    check(system_threads_processors() >= 1, "a processor");
    check(system_locale_read("1.5e3x", NULL) == 1500.0, "a number");
    double *numbers = system_memory_align(64, 128);
    check(numbers != NULL, "memory");
    free(numbers);
}

int main(void)
{
    test_folder();
    test_file();
    test_lock();
    test_list();
    test_streams();
    test_rest();
    check(system_file_remove(place("b")), "the file is removed");
    if (remove(folder) != 0)
        printf("%s is left behind\n", folder);
    printf("%s\n", n_failed ? "FAILED" : "passed");
    return n_failed != 0;
}
