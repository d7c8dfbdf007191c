/* What all pages have in common: head and end, navigation, commands, citations. */
#ifndef EQUANT_APP_PAGE_PAGE_PARTS_H
#define EQUANT_APP_PAGE_PAGE_PARTS_H

#include <stdbool.h>
#include <stdio.h>

#include "terminal/text_list.h"

/* The star's name, or words in its place. */
const char *page_parts_name(const char *star_name);

void page_parts_head(FILE *page, const char *star_name);
void page_parts_end(FILE *page);

/* Sections of a page; the last has no id. */
struct page_entry {
    const char *id, *title;
    bool is_there;
};
void page_parts_navigation(FILE *page, const struct page_entry *entries);

/* A command line, nothing where it is NULL or empty; and a version, nothing where it is NULL. */
void page_parts_command(FILE *page, const char *command);
void page_parts_version(FILE *page, const char *what, const char *version);

/* Items of a list of citations: the program; the data. */
void page_parts_program(FILE *page);
void page_parts_references(FILE *page, const struct text_list *references);

#endif
