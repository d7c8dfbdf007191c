#include "options/picture_options.h"

#include "terminal/messages.h"

#ifdef EQUANT_HAVE_RSVG
static const bool can_render = true;
#else
static const bool can_render = false;
#endif

/* What to do about it. */
#define HOW_TO_RENDER                                                                              \
    "equant was built without librsvg (on Debian: apt-get install librsvg2-dev, and build again)"

static const struct option_choice formats[] = {
    {"png", PICTURE_PNG}, {"svg", PICTURE_SVG}, {"pdf", PICTURE_PDF}, {0}};

#define OPTIONS_OF struct picture_options
const struct option_row picture_options_rows[] = {
    {"format", "F", OPTION_CHOICE(format, formats),
     "format of pictures: png (default), svg or pdf; png and pdf\n"
     "need a build with librsvg"},
    {"captions", NULL, OPTION_FLAG(has_captions),
     "draws captions below the pictures; default: a text file\n"
     "beside each picture, such as fit.caption.txt"},
    {"no-pictures", NULL, OPTION_FLAG(has_none), "writes tables only"},
    {0}};

const char *picture_format_name(enum picture_format format)
{
    return command_line_choice_name(formats, (int)format);
}

static bool draws_captions;

bool picture_options_draws_captions(void)
{
    return draws_captions;
}

int picture_options_check(const struct picture_options *options)
{
    draws_captions = options->has_captions;
    bool wants_rendering = options->format == PICTURE_PNG || options->format == PICTURE_PDF;
    if (can_render || options->has_none || !wants_rendering)
        return EXIT_CODE_OK;
    messages_failure("--format %s: this " HOW_TO_RENDER "; --format svg works",
                     picture_format_name(options->format));
    return EXIT_CODE_UNAVAILABLE;
}

enum picture_format picture_format_of(enum picture_format wanted)
{
    static bool has_warned;
    if (wanted != PICTURE_UNSAID)
        return wanted;
    if (!can_render && !has_warned)
        messages_warning("pictures are SVG, not PNG: this " HOW_TO_RENDER);
    has_warned = true;
    return can_render ? PICTURE_PNG : PICTURE_SVG;
}
