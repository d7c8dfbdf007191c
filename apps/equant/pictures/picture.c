#include "pictures/picture.h"

#include <errno.h>
#include <math.h>
#include <stdlib.h>

#include "drawing/paragraph.h"
#include "drawing/svg.h"
#include "files/output_file.h"
#include "pictures/rendering.h"
#include "platform/system_stream.h"
#include "terminal/messages.h"

static const double margin = 10.0, below = 4.0;

int picture_begin(struct picture *picture, double width, double height, const char *label,
                  const char *caption)
{
    double lines = paragraph_height(caption, width - 2.0 * margin);
    bool is_drawn = caption[0] != '\0' && picture_options_draws_captions();
    *picture = (struct picture){.width = ceil(width),
                                .height = ceil(height + (is_drawn ? lines + margin : below)),
                                .caption_top = height};
    snprintf(picture->caption, sizeof picture->caption, "%s", caption);
    picture->page = system_stream_to_text(&picture->svg, &picture->n_bytes);
    if (picture->page == NULL)
        return messages_out_of_memory();
    svg_begin_picture(picture->page, picture->width, picture->height, label);
    return EXIT_CODE_OK;
}

/* The bytes of the picture in the format that is wanted, at once: what goes wrong with the disk
 * can then be told from what goes wrong with the picture. */
static int convert(const struct picture *picture, enum picture_format format,
                   struct rendered_picture *made)
{
    if (format == PICTURE_SVG) {
        *made = (struct rendered_picture){picture->n_bytes, picture->svg};
        return EXIT_CODE_OK;
    }
    return rendering_make(picture->n_bytes, picture->svg, picture->width, picture->height, format,
                          made);
}

static int write_file(const struct rendered_picture *made, const char *folder, const char *name,
                      enum picture_format format)
{
    static const struct output_kind kinds[] = {
        [PICTURE_SVG] = OUTPUT_KIND("a picture in SVG", "<svgxmlns=\"http://www.w3.org/2000/svg\""),
        [PICTURE_PNG] = OUTPUT_KIND("a picture in PNG", "\x89PNG"),
        [PICTURE_PDF] = OUTPUT_KIND("a picture in PDF", "%PDF")};
    const struct output_member members[] = {{name, kinds[format]}, {0}};
    struct output_file file;
    int code = output_file_open(&file, folder, name, members);
    if (code != EXIT_CODE_OK)
        return code;
    errno = 0;
    if (fwrite(made->bytes, 1, made->n_bytes, file.stream) != made->n_bytes)
        code = messages_file("write", file.path);
    return output_file_close(&file, code);
}

/* What a picture needs to be said, for whoever sets it; nothing where it is drawn or there is none.
 */
static int write_caption(const struct picture *picture, const char *folder, const char *name)
{
    char full_name[64];
    struct output_file file;
    const struct output_member members[] = {{full_name, OUTPUT_KIND("a caption", "Caption:")}, {0}};
    snprintf(full_name, sizeof full_name, "%s.caption.txt", name);
    if (picture->caption[0] == '\0' || picture_options_draws_captions())
        return output_file_remove(folder, full_name, members);
    int code = output_file_open(&file, folder, full_name, members);
    if (code != EXIT_CODE_OK)
        return code;
    errno = 0;
    if (fprintf(file.stream, "Caption: %s\n", picture->caption) < 0)
        code = messages_file("write", file.path);
    return output_file_close(&file, code);
}

static int write_picture(const struct picture *picture, const char *folder, const char *name,
                         enum picture_format format)
{
    char full_name[64];
    struct rendered_picture made = {0};
    format = picture_format_of(format);
    snprintf(full_name, sizeof full_name, "%s.%s", name, picture_format_name(format));
    int code = convert(picture, format, &made);
    if (code == EXIT_CODE_OK)
        code = write_file(&made, folder, full_name, format);
    if (made.bytes != picture->svg)
        free(made.bytes);
    return code;
}

int picture_finish(struct picture *picture, const char *folder, const char *name,
                   enum picture_format format, int code)
{
    if (picture_options_draws_captions())
        paragraph_draw(picture->page, picture->caption, margin, picture->caption_top,
                       picture->width - 2.0 * margin);
    svg_end(picture->page);
    bool has_memory = !ferror(picture->page);
    has_memory &= system_stream_close_text(picture->page);
    if (code == EXIT_CODE_OK && !has_memory)
        code = messages_out_of_memory();
    if (code == EXIT_CODE_OK)
        code = write_picture(picture, folder, name, format);
    if (code == EXIT_CODE_OK)
        code = write_caption(picture, folder, name);
    free(picture->svg);
    return code;
}
