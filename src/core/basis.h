/* Coordinates in which derivatives are taken. */
#ifndef EQUANT_CORE_BASIS_H
#define EQUANT_CORE_BASIS_H

#include <stdbool.h>

#include "equant.h"

bool basis_is_known(equant_basis basis);

#endif
