#include "astrometry/formats/sky_column.h"

#include <string.h>

static const struct {
    const char *name;
    sky_column column;
} names[] = {
    {"t", SKY_TIME},
    {"time", SKY_TIME},
    {"times", SKY_TIME},
    {"epoch", SKY_TIME},
    {"jd", SKY_TIME},
    {"bjd", SKY_TIME},
    {"mjd", SKY_TIME},
    {"jd_tcb", SKY_TIME},
    {"bjd_tcb", SKY_TIME},
    {"mjd_tcb", SKY_TIME},
    {"t_jd_tcb", SKY_TIME},
    {"t_jd", SKY_TIME},
    {"t_mjd", SKY_TIME},
    {"t_days", SKY_TIME},
    {"time_days", SKY_TIME},
    {"time_jd", SKY_TIME},
    {"time_mjd", SKY_TIME},
    {"epoch_jd", SKY_TIME},
    {"epoch_mjd", SKY_TIME},
    {"w", SKY_ABSCISSA},
    {"w_mas", SKY_ABSCISSA},
    {"abscissa", SKY_ABSCISSA},
    {"abscissa_mas", SKY_ABSCISSA},
    {"centroid_pos_al", SKY_ABSCISSA},
    {"eta", SKY_ABSCISSA},
    {"al", SKY_ABSCISSA},
    {"al_pos", SKY_ABSCISSA},
    {"w_err", SKY_UNCERTAINTY},
    {"w_error", SKY_UNCERTAINTY},
    {"sigma", SKY_UNCERTAINTY},
    {"sig", SKY_UNCERTAINTY},
    {"sigma_w", SKY_UNCERTAINTY},
    {"sigma_mas", SKY_UNCERTAINTY},
    {"err", SKY_UNCERTAINTY},
    {"error", SKY_UNCERTAINTY},
    {"uncertainty", SKY_UNCERTAINTY},
    {"uncertainty_mas", SKY_UNCERTAINTY},
    {"abscissa_err", SKY_UNCERTAINTY},
    {"abscissa_error", SKY_UNCERTAINTY},
    {"al_err", SKY_UNCERTAINTY},
    {"centroid_pos_error_al", SKY_UNCERTAINTY},
    {"psi", SKY_ANGLE},
    {"psi_deg", SKY_ANGLE},
    {"psi_rad", SKY_ANGLE},
    {"scan_angle", SKY_ANGLE},
    {"scan_angle_deg", SKY_ANGLE},
    {"scan_angle_rad", SKY_ANGLE},
    {"scan_pos_angle", SKY_ANGLE},
    {"angle", SKY_ANGLE},
    {"angle_rad", SKY_ANGLE},
    {"angle_deg", SKY_ANGLE},
    {"theta", SKY_ANGLE},
    {"f", SKY_PARALLAX_FACTOR},
    {"f_al", SKY_PARALLAX_FACTOR},
    {"plx_factor", SKY_PARALLAX_FACTOR},
    {"parf", SKY_PARALLAX_FACTOR},
    {"parallax_factor", SKY_PARALLAX_FACTOR},
    {"parallax_factor_al", SKY_PARALLAX_FACTOR},
    {"colour_factor", SKY_COLOUR_FACTOR},
    {"colour_factor_al", SKY_COLOUR_FACTOR},
    {"transit", SKY_TRANSIT},
    {"transit_id", SKY_TRANSIT},
    {"source_id", SKY_SOURCE},
    {"source", SKY_SOURCE},
    {"outlier", SKY_REJECTED},
    {"outlier_flag", SKY_REJECTED},
    {"rejected", SKY_REJECTED},
    {"used", SKY_USED},
    {"used_by_agis_al", SKY_USED},
};

sky_column sky_column_of(text_slice heading)
{
    size_t n = 0;
    while (n < heading.n && strchr("([{", heading.start[n]) == NULL)
        n++;
    text_slice name = text_trim((text_slice){heading.start, n});
    for (size_t i = 0; i < sizeof names / sizeof names[0]; i++)
        if (text_is_word(name, names[i].name))
            return names[i].column;
    return SKY_NO_COLUMN;
}

static bool is_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

bool sky_column_says(text_slice heading, const char *word)
{
    size_t n = strlen(word);
    for (size_t i = 0; i + n <= heading.n; i++) {
        bool is_front = i == 0 || !is_letter(heading.start[i - 1]);
        bool is_back = i + n == heading.n || !is_letter(heading.start[i + n]);
        if (is_front && is_back && text_is_word((text_slice){heading.start + i, n}, word))
            return true;
    }
    return false;
}
