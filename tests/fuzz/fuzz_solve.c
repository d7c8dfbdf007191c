/* Any bytes as the standard input of `equant solve`: the command ends, with success or with a
 * sentence about a line. */
#include <getopt.h>
#include <stdbool.h>

#include "commands/commands.h"
#include "scratch.h"
#include "terminal/messages.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static bool is_silent;
    if (!is_silent)
        scratch_silence(STDOUT_FILENO);
    is_silent = true;
    scratch_write("pairs.txt", n_bytes, data);
    int input = open(scratch_path("pairs.txt"), O_RDONLY);
    PROMISE(input >= 0 && dup2(input, STDIN_FILENO) == STDIN_FILENO);
    close(input);
    char *arguments[] = {"solve", "--threads", "1", NULL};
    optind = 0; /* the command line is a new one */
    int code = command_solve(3, arguments);
    PROMISE(code == EXIT_CODE_OK || code == EXIT_CODE_FAILED);
    return 0;
}
