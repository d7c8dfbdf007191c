/* Gaia's tables of BH3 and of Gaia-4, read plainly: the readers of the library are tested
 * elsewhere. */
#ifndef TESTS_REAL_DATA_SKY_TABLES_H
#define TESTS_REAL_DATA_SKY_TABLES_H

#include <math.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "equant.h"
#include "shared_data.h"

enum { SKY_TABLE_MOST = 4096 };

typedef struct sky_table {
    size_t n;
    double time_days[SKY_TABLE_MOST], abscissa[SKY_TABLE_MOST], error[SKY_TABLE_MOST];
    double angle[SKY_TABLE_MOST], parallax[SKY_TABLE_MOST];
    int64_t transit[SKY_TABLE_MOST];
} sky_table;

static FILE *sky_table_open(const char *name)
{
    const char *path = shared_file(name);
    return path != NULL ? fopen(path, "r") : NULL;
}

static equant_astrometry *sky_table_source(const sky_table *table, const char *name)
{
    equant_astrometry *source = NULL;
    const equant_sky_rows rows = {.struct_size = sizeof rows,
                                  .n_rows = table->n,
                                  .time_days = table->time_days,
                                  .abscissa_mas = table->abscissa,
                                  .uncertainty_mas = table->error,
                                  .angle_rad = table->angle,
                                  .parallax_factor = table->parallax,
                                  .transit = table->transit};
    equant_astrometry_create(&rows, EQUANT_SKY_GAIA_JD, name, &source);
    return source;
}

/* The CCDs that are not flagged; NULL where the table is absent. */
static inline equant_astrometry *sky_table_bh3(void)
{
    static sky_table table;
    char line[512];
    FILE *file = sky_table_open("gaia/bh3/epochast.dat");
    table.n = 0;
    while (file != NULL && fgets(line, sizeof line, file)) {
        long long transit;
        double jd, w, error, factor, degrees;
        int ccd, flag;
        if (sscanf(line, "%lld %d %lf %lf %lf %lf %lf %d", &transit, &ccd, &jd, &w, &error, &factor,
                   &degrees, &flag) != 8 ||
            flag != 0)
            continue;
        table.transit[table.n] = transit;
        table.time_days[table.n] = jd - EQUANT_SKY_GAIA_JD;
        table.abscissa[table.n] = w;
        table.error[table.n] = error;
        table.parallax[table.n] = factor;
        table.angle[table.n++] = degrees * 0.017453292519943295;
    }
    if (file != NULL)
        fclose(file);
    return table.n > 0 ? sky_table_source(&table, "Gaia BH3") : NULL;
}

/* The CCDs that Gaia's own solution used; NULL where the table is absent. */
static inline equant_astrometry *sky_table_gaia4(void)
{
    static sky_table table;
    char line[512];
    FILE *file = sky_table_open("gaia/gaia4/gaia4_epoch_astrometry.csv");
    table.n = 0;
    while (file != NULL && fgets(line, sizeof line, file)) {
        long long transit;
        double mjd, w, error, other, factor, angle;
        char used[16];
        if (sscanf(line, "%lld,%lf,%lf,%lf,%lf,%lf,%lf,%15[^,]", &transit, &mjd, &angle, &w, &error,
                   &other, &factor, used) != 8 ||
            strcmp(used, "true") != 0)
            continue;
        table.transit[table.n] = transit;
        table.time_days[table.n] = mjd + 2400000.5 - EQUANT_SKY_GAIA_JD;
        table.abscissa[table.n] = w;
        table.error[table.n] = error;
        table.parallax[table.n] = factor;
        table.angle[table.n++] = angle;
    }
    if (file != NULL)
        fclose(file);
    return table.n > 0 ? sky_table_source(&table, "Gaia-4") : NULL;
}

#endif
