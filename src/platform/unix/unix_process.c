#define _GNU_SOURCE /* strsignal */
#include "platform/system_process.h"

#include <errno.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>
#ifdef __linux__
#include <sys/prctl.h>
#endif
#ifndef MSG_NOSIGNAL
#define MSG_NOSIGNAL 0
#endif

static _Noreturn void become(char *const *argv, const char *device, int line)
{
    if (device != NULL)
        setenv("CUDA_VISIBLE_DEVICES", device, 1);
    /* A group of its own: Ctrl-C comes to the first process alone, which tells the others. */
    setpgid(0, 0);
#ifdef __linux__
    prctl(PR_SET_PDEATHSIG, SIGTERM);
#endif
    if (dup2(line, STDIN_FILENO) >= 0 && dup2(line, STDOUT_FILENO) >= 0)
        execv("/proc/self/exe", argv);
    execvp(argv[0], argv); /* where there is no /proc */
    _exit(127);
}

int system_process_start(system_process *made, char *const *argv, const char *device,
                         size_t n_others, const system_process *const *others)
{
    int lines[2];
    if (socketpair(AF_UNIX, SOCK_STREAM, 0, lines) != 0)
        return errno;
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        for (size_t i = 0; i < n_others; i++)
            if (others[i]->number > 0)
                close(others[i]->line);
        close(lines[0]);
        become(argv, device, lines[1]);
    }
    int error = errno;
    close(lines[1]);
    if (pid < 0) {
        close(lines[0]);
        return error;
    }
    *made = (system_process){(long)pid, lines[0]};
    return 0;
}

system_process_end system_process_join(system_process *process)
{
    int status = 0;
    close(process->line);
    while (waitpid((pid_t)process->number, &status, 0) < 0 && errno == EINTR)
        ;
    *process = (system_process){0, -1};
    if (WIFSIGNALED(status))
        return (system_process_end){0, WTERMSIG(status), strsignal(WTERMSIG(status))};
    return (system_process_end){WEXITSTATUS(status), 0, NULL};
}

void system_process_ask_to_end(const system_process *process)
{
    kill((pid_t)process->number, SIGTERM);
}

void system_process_kill(const system_process *process)
{
    kill((pid_t)process->number, SIGKILL);
}

bool system_process_send(const system_process *process, const char *text)
{
    for (size_t n = strlen(text); n > 0;) {
        ssize_t sent = send(process->line, text, n, MSG_NOSIGNAL);
        if (sent < 0 && errno == EINTR)
            continue;
        if (sent < 0)
            return false;
        text += sent;
        n -= (size_t)sent;
    }
    return true;
}

ptrdiff_t system_process_hear(const system_process *process, char *text, size_t n_bytes)
{
    ssize_t n = recv(process->line, text, n_bytes, 0);
    if (n < 0)
        return errno == EINTR ? -1 : 0;
    return n;
}

void system_process_wait(size_t n, const system_process *const *processes, int milliseconds,
                         bool *has_news)
{
    struct pollfd *polled = calloc(n, sizeof *polled);
    for (size_t i = 0; i < n && polled; i++)
        polled[i] = (struct pollfd){processes[i]->number > 0 ? processes[i]->line : -1, POLLIN, 0};
    bool is_known = polled && poll(polled, n, milliseconds) > 0;
    for (size_t i = 0; i < n; i++)
        has_news[i] = is_known && polled[i].revents != 0;
    free(polled);
}
