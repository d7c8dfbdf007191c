/* Why a fit has its planets, and not its candidate: the rival models that came closest, in words
 * and as a table. */
#ifndef EQUANT_APP_TABLES_RIVAL_TABLE_H
#define EQUANT_APP_TABLES_RIVAL_TABLE_H

#include "equant.h"

enum { RIVAL_TABLE_TEXT_SIZE = 256 };

/* "3.04, 12.46"; "none". */
void rival_table_planets(const equant_fitted_rival *rival, char text[RIVAL_TABLE_TEXT_SIZE]);

/* "night, mep, 2 outliers, linear trend"; "white". */
void rival_table_noise(const equant_fitted_rival *rival, char text[RIVAL_TABLE_TEXT_SIZE]);

/* A sentence and a row for each. Returns an exit code, with a sentence on failure. */
int rival_table_print(const equant_fit *fit);

#endif
