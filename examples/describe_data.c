/* Reads files of radial velocities, whatever their format, and says what was
 * found. Without arguments it describes the embedded demonstration. */
#include <stdio.h>

#include <equant.h>

int main(int argc, char **argv)
{
    equant_dataset *dataset;
    equant_status status =
        argc > 1 ? equant_dataset_from_files((size_t)argc - 1, (const char *const *)argv + 1, NULL,
                                             &dataset)
                 : equant_dataset_demonstration(&dataset);
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "describe_data: %s\n", equant_last_error());
        return 1;
    }

    size_t n_obs = equant_dataset_n_obs(dataset);
    const double *time_days = equant_dataset_times_days(dataset);
    printf("%zu velocities over %.1f days\n", n_obs, time_days[n_obs - 1] - time_days[0]);
    for (size_t i = 0; i < equant_dataset_n_instruments(dataset); i++)
        printf("  %s: %zu\n", equant_dataset_instrument_name(dataset, i),
               equant_dataset_instrument_n_obs(dataset, i));
    for (size_t i = 0; i < equant_dataset_n_warnings(dataset); i++)
        printf("note: %s\n", equant_dataset_warning(dataset, i));

    equant_dataset_free(dataset);
    return 0;
}
