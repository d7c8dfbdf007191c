#include "pictures/rendering.h"

#include "platform/system_stream.h"
#include "terminal/messages.h"

#ifdef EQUANT_HAVE_RSVG

#include <stdio.h>

#include <cairo-pdf.h>
#include <librsvg/rsvg.h>

static const double units_per_inch = 96.0, dots_per_inch = 300.0, points_per_inch = 72.0;

static cairo_status_t take(void *context, const unsigned char *data, unsigned int length)
{
    return fwrite(data, 1, length, (FILE *)context) == length ? CAIRO_STATUS_SUCCESS
                                                              : CAIRO_STATUS_WRITE_ERROR;
}

static int fail_with(GError *error)
{
    int code = messages_failure("the picture could not be drawn: %s",
                                error != NULL ? error->message : "librsvg does not say why");
    g_clear_error(&error);
    return code;
}

/* Names of instruments may be long, and data many: no limits on the size of a text. */
static int parse(size_t n_bytes, const char *svg, RsvgHandle **handle)
{
    GError *error = NULL;
    GInputStream *stream = g_memory_input_stream_new_from_data(svg, (gssize)n_bytes, NULL);
    *handle =
        rsvg_handle_new_from_stream_sync(stream, NULL, RSVG_HANDLE_FLAG_UNLIMITED, NULL, &error);
    g_object_unref(stream);
    return *handle != NULL ? EXIT_CODE_OK : fail_with(error);
}

static int check(cairo_status_t status)
{
    if (status == CAIRO_STATUS_SUCCESS)
        return EXIT_CODE_OK;
    if (status == CAIRO_STATUS_NO_MEMORY)
        return messages_out_of_memory();
    return messages_failure("the picture could not be drawn: %s", cairo_status_to_string(status));
}

static int draw(RsvgHandle *handle, double width, double height, cairo_surface_t *surface)
{
    GError *error = NULL;
    RsvgRectangle all = {0.0, 0.0, width, height};
    cairo_t *cairo = cairo_create(surface);
    cairo_set_source_rgb(cairo, 1.0, 1.0, 1.0); /* where the paper ends within a pixel */
    cairo_paint(cairo);
    bool is_drawn = rsvg_handle_render_document(handle, cairo, &all, &error);
    cairo_status_t status = cairo_status(cairo);
    cairo_destroy(cairo);
    return is_drawn ? check(status) : fail_with(error);
}

static int write_png(RsvgHandle *handle, double width, double height, FILE *out)
{
    double scale = dots_per_inch / units_per_inch;
    cairo_surface_t *surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, (int)(width * scale + 0.5), (int)(height * scale + 0.5));
    int code = draw(handle, width * scale, height * scale, surface);
    if (code == EXIT_CODE_OK)
        code = check(cairo_surface_write_to_png_stream(surface, take, out));
    cairo_surface_destroy(surface);
    return code;
}

static int write_pdf(RsvgHandle *handle, double width, double height, FILE *out)
{
    double scale = points_per_inch / units_per_inch;
    cairo_surface_t *surface =
        cairo_pdf_surface_create_for_stream(take, out, width * scale, height * scale);
    int code = draw(handle, width * scale, height * scale, surface);
    cairo_surface_finish(surface);
    if (code == EXIT_CODE_OK)
        code = check(cairo_surface_status(surface));
    cairo_surface_destroy(surface);
    return code;
}

int rendering_make(size_t n_bytes, const char *svg, double width, double height,
                   enum picture_format format, struct rendered_picture *made)
{
    RsvgHandle *handle;
    int code = parse(n_bytes, svg, &handle);
    if (code != EXIT_CODE_OK)
        return code;
    FILE *out = system_stream_to_text(&made->bytes, &made->n_bytes);
    if (out == NULL) {
        g_object_unref(handle);
        return messages_out_of_memory();
    }
    code = format == PICTURE_PNG ? write_png(handle, width, height, out)
                                 : write_pdf(handle, width, height, out);
    if (!system_stream_close_text(out) && code == EXIT_CODE_OK)
        code = messages_out_of_memory();
    g_object_unref(handle);
    return code;
}

#else

/* picture_options_check keeps everybody away from here. */
int rendering_make(size_t n_bytes, const char *svg, double width, double height,
                   enum picture_format format, struct rendered_picture *made)
{
    (void)n_bytes, (void)svg, (void)width, (void)height, (void)format, (void)made;
    return messages_failure("this equant was built without librsvg, so it draws SVG only");
}

#endif
