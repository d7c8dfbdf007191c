#include "stars/transit_request.h"

#include <stdlib.h>

#include "terminal/messages.h"

int transit_request_take(struct transit_request *own, const char *command, struct file_list *files)
{
    int n = 0;
    own->others = malloc(((size_t)files->n + 1) * sizeof *own->others);
    if (own->others == NULL)
        return messages_out_of_memory();
    for (int i = 0; i < files->n; i++) {
        if (!equant_transits_is_file(files->paths[i])) {
            own->others[n++] = files->paths[i];
            continue;
        }
        if (own->path != NULL)
            return messages_usage(command, "%s and %s both have transit times; give one file",
                                  own->path, files->paths[i]);
        own->path = files->paths[i];
    }
    files->n = n;
    files->paths = own->others;
    return EXIT_CODE_OK;
}

int transit_request_load(struct transit_request *own)
{
    if (own->path == NULL)
        return EXIT_CODE_OK;
    return messages_status(equant_transits_from_file(own->path, &own->times));
}

void transit_request_free(struct transit_request *own)
{
    equant_transits_free(own->times);
    free(own->others);
    *own = (struct transit_request){0};
}
