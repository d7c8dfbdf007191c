#include "files/json_reader.h"

#include <stdio.h>
#include <stdlib.h>

#include "files/input_file.h"
#include "terminal/messages.h"

static char *read_text(const char *path)
{
    enum { MOST_BYTES = 1 << 24 };
    FILE *file = input_file_open(path);
    char *text = file == NULL ? NULL : malloc(MOST_BYTES);
    if (text == NULL) {
        if (file == NULL)
            messages_file("open", path);
        else
            messages_out_of_memory();
    } else {
        text[fread(text, 1, MOST_BYTES - 1, file)] = '\0';
    }
    if (file != NULL)
        fclose(file);
    return text;
}

int json_reader_file(const char *path, const struct json_listener *listener)
{
    char *text = read_text(path);
    if (text == NULL)
        return EXIT_CODE_FAILED;
    size_t bad_line = json_walk(text, listener);
    free(text);
    if (bad_line == JSON_WALK_NO_MEMORY)
        return messages_out_of_memory();
    return bad_line == 0 ? EXIT_CODE_OK
                         : messages_failure("%s:%zu: this is no JSON", path, bad_line);
}
