#include "archive/catalogue_joint.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "terminal/angles.h"
#include "terminal/messages.h"

const struct ecsv_column catalogue_joint_columns[CATALOGUE_JOINT_COLUMNS] = {
    {"n_velocities", ECSV_INTEGER, NULL, NULL},
    {"orbit_from", ECSV_TEXT, NULL, "none, sky, velocities or both"},
    {"joint_gain", ECSV_NUMBER, NULL, "in ln L of the best orbit for both"},
    {"joint_fap", ECSV_NUMBER, NULL, "that noise gains as much"},
    {"joint_gain_sky", ECSV_NUMBER, NULL, "of its amplitudes on the sky"},
    {"joint_gain_velocities", ECSV_NUMBER, NULL, "of its amplitudes in velocities"},
    {"tie_chi2_excess", ECSV_NUMBER, NULL, "over velocities of their own amplitude"},
    {"tie_probability", ECSV_NUMBER, NULL, "that noise makes it as large"},
    {"velocity_gain", ECSV_NUMBER, NULL, "in ln L of the best orbit for velocities alone"},
    {"velocity_fap", ECSV_NUMBER, NULL, "that noise gains as much"},
    {"velocity_period_days", ECSV_NUMBER, "d", NULL},
    {"orbit_period_days", ECSV_NUMBER, "d", NULL},
    {"orbit_period_days_err", ECSV_NUMBER, "d", NULL},
    {"orbit_eccentricity", ECSV_NUMBER, NULL, NULL},
    {"orbit_eccentricity_err", ECSV_NUMBER, NULL, NULL},
    {"orbit_a0_mas", ECSV_NUMBER, "mas", NULL},
    {"orbit_a0_mas_err", ECSV_NUMBER, "mas", NULL},
    {"inclination_deg", ECSV_NUMBER, "deg", NULL},
    {"inclination_deg_err", ECSV_NUMBER, "deg", NULL},
    {"omega_deg", ECSV_NUMBER, "deg", "of the star"},
    {"omega_deg_err", ECSV_NUMBER, "deg", NULL},
    {"node_deg", ECSV_NUMBER, "deg", NULL},
    {"node_deg_err", ECSV_NUMBER, "deg", NULL},
    {"t_peri_jd", ECSV_NUMBER, "d", NULL},
    {"t_peri_jd_err", ECSV_NUMBER, "d", NULL},
    {"k_m_s", ECSV_NUMBER, "m / s", "of the star"},
    {"k_m_s_err", ECSV_NUMBER, "m / s", NULL},
    {"mass_function_sun", ECSV_NUMBER, "solMass", NULL},
    {"star_mass", ECSV_NUMBER, "solMass", "that the next is by"},
    {"star_mass_err", ECSV_NUMBER, "solMass", NULL},
    {"mass_jupiter", ECSV_NUMBER, "jupiterMass", "of a dark companion"},
    {"mass_jupiter_err", ECSV_NUMBER, "jupiterMass", NULL},
    {"parallax_bias_mas", ECSV_NUMBER, "mas", "subtracted before it is a distance"},
    {"has_epoch_astrometry", ECSV_INTEGER, NULL, "of the list of sources"},
    {"has_epoch_rvs", ECSV_INTEGER, NULL, "of the list of sources"},
    {"joint_flags", ECSV_TEXT, NULL, NULL},
};

/* ---- reading ------------------------------------------------------------------------------ */

/* What is odd about the velocities, once for all of them. */
static void warn(const struct catalogue_joint *joint)
{
    const char *words;
    size_t n = equant_sky_velocities_n_unknown(joint->velocities);
    for (size_t i = 0; (words = equant_sky_velocities_warning(joint->velocities, i)); i++)
        messages_warning("%s", words);
    if (n > 0)
        messages_warning("velocities of %zu stars without a number of a source are left out, such "
                         "as those of %s; a list with the columns source_id and name says whose "
                         "they are (--sources)",
                         n, equant_sky_velocities_unknown(joint->velocities));
    n = equant_sky_velocities_n_failed(joint->velocities);
    if (n > 0)
        messages_warning("velocities of %zu stars that cannot be used are left out: %s", n,
                         equant_sky_velocities_failure(joint->velocities));
}

static int read_velocities(const struct file_list *velocities, const struct file_list *mixed,
                           const equant_dataset_options *reading, struct catalogue_joint *joint)
{
    const equant_sky_velocities_options options = {.struct_size = sizeof options,
                                                   .reading = reading,
                                                   .sources = joint->list,
                                                   .n_mixed = (size_t)mixed->n};
    size_t n = (size_t)(velocities->n + mixed->n);
    const char **paths = malloc((n + 1) * sizeof *paths);
    if (paths == NULL)
        return messages_out_of_memory();
    for (size_t i = 0; i < n; i++)
        paths[i] = (int)i < mixed->n ? mixed->paths[i] : velocities->paths[(int)i - mixed->n];
    int code = messages_status(equant_sky_velocities_read(n, paths, &options, &joint->velocities));
    free((void *)paths);
    if (code == EXIT_CODE_OK)
        warn(joint);
    return code;
}

int catalogue_joint_read(const struct file_list *velocities, const struct file_list *mixed,
                         const struct file_list *lists, const equant_dataset_options *reading,
                         struct catalogue_joint *joint)
{
    *joint = (struct catalogue_joint){0};
    int code = EXIT_CODE_OK;
    if (lists->n > 0)
        code =
            messages_status(equant_sky_sources_read((size_t)lists->n, lists->paths, &joint->list));
    if (code == EXIT_CODE_OK)
        code = read_velocities(velocities, mixed, reading, joint);
    if (code != EXIT_CODE_OK)
        return code;
    size_t n = equant_sky_velocities_n(joint->velocities);
    joint->is_there = n > 0 || lists->n > 0;
    joint->has_astrometry = calloc(n + 1, sizeof *joint->has_astrometry);
    for (size_t i = 0; i < equant_sky_sources_n(joint->list); i++) {
        equant_sky_source known = {.struct_size = sizeof known};
        if (equant_sky_sources_at(joint->list, i, &known) == EQUANT_SUCCESS)
            joint->n_listed += known.has_epoch_astrometry == 1;
    }
    return joint->has_astrometry ? EXIT_CODE_OK : messages_out_of_memory();
}

void catalogue_joint_free(struct catalogue_joint *joint)
{
    equant_sky_velocities_free(joint->velocities);
    equant_sky_sources_free(joint->list);
    free(joint->has_astrometry);
}

/* ---- sources ------------------------------------------------------------------------------ */

void catalogue_joint_note(struct catalogue_joint *joint, int64_t source_id)
{
    equant_sky_source known = {.struct_size = sizeof known};
    size_t star = equant_sky_velocities_find(joint->velocities, source_id);
    if (source_id != joint->last_noted && /* the first one comes twice: its file is tried */
        equant_sky_sources_find(joint->list, source_id, &known))
        joint->n_listed_there += known.has_epoch_astrometry == 1;
    if (star != SIZE_MAX)
        joint->has_astrometry[star] = true;
    joint->last_noted = source_id;
}

int64_t catalogue_joint_next_star(struct catalogue_joint *joint)
{
    size_t n = equant_sky_velocities_n(joint->velocities);
    while (joint->next_star < n && joint->has_astrometry[joint->next_star])
        joint->next_star++;
    return joint->next_star < n
               ? equant_sky_velocities_source_id(joint->velocities, joint->next_star++)
               : 0;
}

int catalogue_joint_star(const struct catalogue_joint *joint, int64_t source_id,
                         equant_dataset **velocities, equant_sky_star *star)
{
    equant_sky_source known = {.struct_size = sizeof known};
    size_t index = equant_sky_velocities_find(joint->velocities, source_id);
    *star = (equant_sky_star){.struct_size = sizeof *star, .ks_mag = NAN};
    *velocities = NULL;
    if (equant_sky_sources_find(joint->list, source_id, &known)) {
        star->star_mass = known.star_mass > 0.0 ? known.star_mass : 0.0;
        star->star_mass_err = known.star_mass_err > 0.0 ? known.star_mass_err : 0.0;
        star->ks_mag = known.ks_mag;
        star->parallax_bias_mas = isfinite(known.parallax_bias_mas) ? known.parallax_bias_mas : 0.0;
    }
    int code =
        index == SIZE_MAX
            ? EXIT_CODE_OK
            : messages_status(equant_sky_velocities_dataset(joint->velocities, index, velocities));
    star->velocities = *velocities;
    return code;
}

/* ---- rows --------------------------------------------------------------------------------- */

static void write_flag(struct catalogue_table *table, int flag)
{
    catalogue_table_number(table, flag >= 0 ? flag : NAN);
}

void catalogue_joint_write(struct catalogue_joint *joint, struct catalogue_table *table,
                           int64_t source_id, const equant_sky_joint_row *row)
{
    equant_sky_source known = {.struct_size = sizeof known,
                               .parallax_bias_mas = NAN,
                               .has_epoch_astrometry = -1,
                               .has_epoch_rvs = -1};
    const double degree = RADIANS_PER_DEGREE;
    const double numbers[] = {row->gain,
                              row->false_alarm,
                              row->gain_sky,
                              row->gain_velocities,
                              row->tie_excess,
                              row->tie_chance,
                              row->velocity_gain,
                              row->velocity_false_alarm,
                              row->velocity_period_days,
                              row->period_days,
                              row->period_days_err,
                              row->eccentricity,
                              row->eccentricity_err,
                              row->a0_mas,
                              row->a0_mas_err,
                              row->inclination_rad / degree,
                              row->inclination_rad_err / degree,
                              row->omega_rad / degree,
                              row->omega_rad_err / degree,
                              row->node_rad / degree,
                              row->node_rad_err / degree,
                              row->t_peri_jd,
                              row->t_peri_jd_err,
                              row->k_m_s,
                              row->k_m_s_err,
                              row->mass_function_sun,
                              row->star_mass,
                              row->star_mass_err,
                              row->mass_jupiter,
                              row->mass_jupiter_err};
    equant_sky_sources_find(joint->list, source_id, &known);
    catalogue_table_count(table, row->n_velocities);
    catalogue_table_text(table, equant_sky_origin_name(row->orbit_from));
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        catalogue_table_number(table, numbers[i]);
    catalogue_table_number(table, known.parallax_bias_mas);
    write_flag(table, known.has_epoch_astrometry);
    write_flag(table, known.has_epoch_rvs);
    catalogue_table_words(table, row->flags);
    joint->n_origins[row->orbit_from]++;
    joint->n_disagreeing += strstr(row->flags, "disagree") != NULL;
}

void catalogue_joint_say(const struct catalogue_joint *joint)
{
    printf("orbits from both %zu, from the sky alone %zu, from velocities alone %zu; sky and "
           "velocities disagree in %zu\n",
           joint->n_origins[EQUANT_SKY_FROM_BOTH], joint->n_origins[EQUANT_SKY_FROM_SKY],
           joint->n_origins[EQUANT_SKY_FROM_VELOCITIES], joint->n_disagreeing);
    if (joint->n_listed_there < joint->n_listed)
        printf("%zu sources of the list have epoch astrometry in the archive, and none in these "
               "files\n",
               joint->n_listed - joint->n_listed_there);
}
