#include "page/page_parts.h"

#include <string.h>

#include "equant.h"
#include "files/html.h"
#include "page/report_sections.h"

const char *page_parts_name(const char *star_name)
{
    return star_name[0] != '\0' ? star_name : "A star without a name";
}

void page_parts_head(FILE *page, const char *star_name)
{
    fputs("<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
          "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n"
          "<meta name=\"generator\" content=\"equant ",
          page);
    html_text(page, equant_version());
    fputs("\">\n<link rel=\"icon\" href=\"data:,\">\n<title>", page);
    html_text(page, page_parts_name(star_name));
    fputs(" · equant</title>\n<style>\n", page);
    report_style_write(page);
    fputs("</style>\n</head>\n", page);
}

void page_parts_end(FILE *page)
{
    fputs("</main>\n<footer>Made by equant ", page);
    html_text(page, equant_version());
    fputs(". This page is one file and needs no network.</footer>\n</body>\n</html>\n", page);
}

void page_parts_navigation(FILE *page, const struct page_entry *entries)
{
    fputs("<nav aria-label=\"Sections\">\n", page);
    for (; entries->id != NULL; entries++)
        if (entries->is_there)
            fprintf(page, "<a href=\"#%s\">%s</a>\n", entries->id, entries->title);
    fputs("</nav>\n", page);
}

/* Names of options are marked: in a narrow window a line must not end within one. */
void page_parts_command(FILE *page, const char *command)
{
    if (command == NULL || command[0] == '\0')
        return;
    fputs("<span>", page);
    while (command[0] != '\0') {
        bool is_option = strncmp(command, "--", 2) == 0;
        size_t n_word = strcspn(command, " "), n = n_word + strspn(command + n_word, " ");
        fputs(is_option ? "<b>" : "", page);
        html_text_n(page, command, n_word);
        fputs(is_option ? "</b>" : "", page);
        html_text_n(page, command + n_word, n - n_word);
        command += n;
    }
    fputs("</span>", page);
}

void page_parts_version(FILE *page, const char *what, const char *version)
{
    if (version == NULL)
        return;
    fprintf(page, "<div><dt>%s</dt><dd>equant ", what);
    html_text(page, version);
    fputs("</dd></div>\n", page);
}

void page_parts_program(FILE *page)
{
    fprintf(page,
            "<li>The program: the equant developers, <cite>equant: which orbits explain these "
            "radial velocities?</cite>, version %s.</li>\n",
            equant_version());
    fputs(
        "<li>The method: Ford, E. B. 2009, <cite>Parallel algorithm for solving Kepler's equation "
        "on Graphics Processing Units: Application to analysis of Doppler exoplanet "
        "searches</cite>, New Astronomy 14, 406 "
        "(<a href=\"https://arxiv.org/abs/0812.2976\">arXiv:0812.2976</a>).</li>\n",
        page);
}

void page_parts_references(FILE *page, const struct text_list *references)
{
    for (size_t i = 0; i < references->n; i++) {
        fputs("<li>The data: ", page);
        html_text(page, references->texts[i]);
        fputs("</li>\n", page);
    }
    if (references->n == 0)
        fputs("<li>The data: the papers that published them.</li>\n", page);
}
