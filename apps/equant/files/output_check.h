/* Whether results may go where --out says, asked before anything is computed or opened: no command
 * overwrites a file that it reads, or one that is not of the kind that it writes.
 *
 * Each function returns EXIT_CODE_OK, or another exit code with a sentence. A path that is NULL is
 * none. */
#ifndef EQUANT_APP_FILES_OUTPUT_CHECK_H
#define EQUANT_APP_FILES_OUTPUT_CHECK_H

/* What the files of a kind begin with, blanks and line ends left out, in any letters. */
struct output_kind {
    const char *what; /* "a page of `equant report`" */
    const char *beginning;
};

/* A file that a command writes into its folder. */
struct output_member {
    const char *name;
    struct output_kind kind;
};

#define OUTPUT_KIND_ECSV                                                                           \
    {                                                                                              \
        "an ECSV table", "#%ECSV"                                                                  \
    }

/* Refuses an output that is one of the files to be read, also by another name; an input "-" is
 * standard input. */
int output_check_inputs(const char *command, const char *output, int n_inputs,
                        const char *const *inputs);

/* Refuses a file that is there, is not empty and is of another kind, and one that could not be
 * written. What is no file, such as a pipe, is anybody's. */
int output_check_file(const char *command, const char *output, const struct output_kind *kind);

/* Both for the members of a folder, which end with one without a name; the folder need not be
 * there. */
int output_check_folder(const char *command, const char *folder,
                        const struct output_member *members, int n_inputs,
                        const char *const *inputs);

#endif
