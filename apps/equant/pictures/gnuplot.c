#include "pictures/gnuplot.h"

#include <errno.h>
#include <spawn.h>
#include <stdbool.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "terminal/interrupt.h"
#include "terminal/messages.h"
#include "files/output_file.h"

extern char **environ;

/* Starts gnuplot on three descriptors of ours. Returns 0 or an errno. */
static int spawn(int script, int picture, int complaints, pid_t *pid)
{
    /* -d: a person's own settings must not change the picture. */
    char *const arguments[] = {"gnuplot", "-d", "-", NULL};
    posix_spawn_file_actions_t actions;
    int failure = posix_spawn_file_actions_init(&actions);
    if (failure != 0)
        return failure;
    failure = posix_spawn_file_actions_adddup2(&actions, script, STDIN_FILENO);
    if (failure == 0)
        failure = posix_spawn_file_actions_adddup2(&actions, picture, STDOUT_FILENO);
    if (failure == 0)
        failure = posix_spawn_file_actions_adddup2(&actions, complaints, STDERR_FILENO);
    if (failure == 0)
        failure = posix_spawnp(pid, "gnuplot", &actions, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&actions);
    return failure;
}

static bool ended_well(pid_t pid)
{
    int status;
    while (waitpid(pid, &status, 0) < 0)
        if (errno != EINTR)
            return false;
    return WIFEXITED(status) && WEXITSTATUS(status) == 0;
}

/* Some builds end well having drawn nothing, for instance for an unknown terminal. */
static bool is_empty(FILE *stream)
{
    struct stat status;
    return fstat(fileno(stream), &status) != 0 || status.st_size == 0;
}

static void warn_missing(int failure)
{
    static bool said;
    if (said)
        return;
    said = true;
    if (failure == ENOENT)
        messages_warning("there is no gnuplot here, so there are no pictures (on Debian: "
                         "apt-get install gnuplot-nox)");
    else
        messages_warning("gnuplot does not start, so there are no pictures: %s", strerror(failure));
}

/* The line of gnuplot's complaints that says what is wrong. */
static void warn_failed(FILE *complaints, const char *name)
{
    char line[256], last[256] = "";
    rewind(complaints);
    while (fgets(line, sizeof line, complaints) != NULL)
        if (strspn(line, " \t^\n") != strlen(line))
            memcpy(last, line, sizeof last);
    last[strcspn(last, "\n")] = '\0';
    if (!interrupt_requested())
        messages_warning("gnuplot could not draw %s: %s", name,
                         last[0] != '\0' ? last : "it does not say why");
}

static int draw_into(FILE *script, FILE *complaints, struct output_file *picture, const char *name)
{
    pid_t pid;
    bool is_drawn = false;
    rewind(script); /* also moves the descriptor, which gnuplot shares */
    int failure = spawn(fileno(script), fileno(picture->stream), fileno(complaints), &pid);
    if (failure != 0)
        warn_missing(failure);
    else if (!ended_well(pid) || is_empty(picture->stream))
        warn_failed(complaints, name);
    else
        is_drawn = true;
    int code = output_file_close(picture, is_drawn ? EXIT_CODE_OK : EXIT_CODE_FAILED);
    return is_drawn ? code : EXIT_CODE_OK;
}

int gnuplot_draw(FILE *script, const char *folder, const char *name)
{
    struct output_file picture;
    if (fflush(script) != 0 || ferror(script))
        return messages_file("write", "the script for gnuplot");
    FILE *complaints = tmpfile();
    if (complaints == NULL)
        return messages_file("write", "a temporary file");
    int code = output_file_open(&picture, folder, name);
    if (code == EXIT_CODE_OK)
        code = draw_into(script, complaints, &picture, name);
    fclose(complaints);
    return code;
}
