#include "sky/gaia_error.h"

#include <math.h>
#include <stddef.h>

/* Read off the curve; between the points the logarithm goes straight. */
static const struct {
    double magnitude, error_mas;
} points[] = {{4.7, 0.29},   {5.0, 0.32},   {5.5, 0.179},  {6.0, 0.139},  {6.5, 0.143},
              {7.0, 0.160},  {7.5, 0.178},  {8.0, 0.209},  {8.25, 0.223}, {8.4, 0.138},
              {8.5, 0.122},  {9.5, 0.120},  {10.5, 0.117}, {11.0, 0.137}, {11.5, 0.133},
              {12.2, 0.108}, {13.0, 0.119}, {13.5, 0.129}, {14.0, 0.151}, {14.5, 0.183},
              {15.0, 0.223}, {15.5, 0.280}, {16.0, 0.353}, {16.5, 0.452}, {17.0, 0.587},
              {17.5, 0.780}, {18.0, 1.052}, {18.5, 1.446}, {19.0, 2.045}, {19.5, 2.910},
              {20.0, 4.17},  {20.5, 6.06},  {20.9, 7.90}};
enum { N_POINTS = sizeof points / sizeof points[0] };

double gaia_error_of_ccd(double magnitude)
{
    for (size_t i = 1; i < N_POINTS && magnitude >= points[0].magnitude; i++) {
        if (magnitude > points[i].magnitude)
            continue;
        double share =
            (magnitude - points[i - 1].magnitude) / (points[i].magnitude - points[i - 1].magnitude);
        return exp((1.0 - share) * log(points[i - 1].error_mas) + share * log(points[i].error_mas));
    }
    return NAN;
}
