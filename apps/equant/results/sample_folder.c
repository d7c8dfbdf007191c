#include "results/sample_folder.h"
#include "results/repeat_file.h"

#include "text/ecsv_writer.h"
#include "terminal/messages.h"
#include "files/output_file.h"
#include "pictures/posterior_pictures.h"

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

static const struct ecsv_column columns[] = {
    {"name", ECSV_TEXT, NULL, NULL},
    {"instrument", ECSV_TEXT, NULL, NULL},
    {"unit", ECSV_TEXT, NULL, NULL},
    {"median", ECSV_NUMBER, NULL, NULL},
    {"low", ECSV_NUMBER, NULL, "68.3 % of the draws lie between low and high"},
    {"high", ECSV_NUMBER, NULL, NULL},
    {"mode", ECSV_NUMBER, NULL, "where draws are densest"},
    {"best", ECSV_NUMBER, NULL, "in the draw of the highest posterior density"},
    {"ess_bulk", ECSV_NUMBER, NULL, "effective draws, for means and medians"},
    {"ess_tail", ECSV_NUMBER, NULL, "effective draws, for quantiles"},
    {"rhat", ECSV_NUMBER, NULL, "rank-normalised split R-hat of the populations"},
};

/* A batch of fits calls its table the same, and says of its first column what it is. */
const struct output_member sample_folder_members[] = {
    {SAMPLE_FOLDER_MARK,
     OUTPUT_KIND("the summary of a run",
                 "#%ECSV1.0#---#delimiter:','#datatype:#-{name:name,datatype:string}")},
    REPEAT_FILE_MEMBER,
    {0}};

static void write_row(struct ecsv_writer *writer, const equant_sampled_quantity *quantity)
{
    const double numbers[] = {quantity->median,   quantity->low,  quantity->high,
                              quantity->mode,     quantity->best, quantity->ess_bulk,
                              quantity->ess_tail, quantity->rhat};
    ecsv_writer_text(writer, quantity->name);
    ecsv_writer_text(writer, quantity->instrument_name != NULL ? quantity->instrument_name : "");
    ecsv_writer_text(writer, quantity->unit);
    for (size_t i = 0; i < COUNT(numbers); i++)
        ecsv_writer_number(writer, numbers[i]);
}

static int write_summary(const struct posterior_view *posterior, const char *folder)
{
    struct output_file file;
    equant_posterior_summary facts = {.struct_size = sizeof facts};
    equant_status status = posterior_view_summarize(posterior, &facts);
    if (status != EQUANT_SUCCESS)
        return messages_status(status);
    int code = output_file_open(&file, folder, SAMPLE_FOLDER_MARK, sample_folder_members);
    if (code != EXIT_CODE_OK)
        return code;
    const struct ecsv_note notes[] = {{"t_ref", NULL, facts.reference_time_days},
                                      {"ln_z", NULL, facts.log_evidence},
                                      {"ln_z_err", NULL, facts.log_evidence_err}};
    bool has_evidence = facts.n_temperatures > 1;
    struct ecsv_writer writer = ecsv_writer_start(file.stream, COUNT(columns), columns,
                                                  has_evidence ? COUNT(notes) : 1, notes);
    for (size_t i = 0; i < posterior_view_n(posterior) && status == EQUANT_SUCCESS; i++) {
        equant_sampled_quantity quantity = {.struct_size = sizeof quantity};
        status = posterior_view_quantity(posterior, i, &quantity);
        if (status == EQUANT_SUCCESS)
            write_row(&writer, &quantity);
    }
    return output_file_close(&file, messages_status(status));
}

static int draw_pictures(const struct posterior_view *posterior, const char *folder,
                         enum picture_format format)
{
    struct posterior_columns shown;
    int code = posterior_columns_load(posterior, 0, &shown);
    if (code == EXIT_CODE_OK)
        code = posterior_pictures_corner(&shown, folder, format);
    if (code == EXIT_CODE_OK)
        code = posterior_pictures_trace(&shown, folder, format);
    posterior_columns_free(&shown);
    return code;
}

int sample_folder_write(const struct posterior_view *posterior, const char *folder,
                        const struct picture_options *pictures)
{
    int code = write_summary(posterior, folder);
    if (code != EXIT_CODE_OK || pictures->has_none)
        return code;
    return draw_pictures(posterior, folder, pictures->format);
}
