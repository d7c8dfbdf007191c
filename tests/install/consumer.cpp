// The header seen from C++: it compiles, links, and evaluates one orbit.
#include <cmath>
#include <cstdio>
#include <vector>

#include <equant.h>

int main()
{
    const std::vector<double> time_days{0, 1, 2, 3}, velocity_m_s{1, 2, 3, 4},
        sigma_m_s{1, 1, 1, 1};
    equant_dataset *dataset = nullptr;
    equant_model *model = nullptr;
    equant_evaluator *evaluator = nullptr;
    equant_model_options options{};
    options.struct_size = sizeof options;

    double chi_square = 0;
    equant_results results{};
    results.struct_size = sizeof results;
    results.chi_square = &chi_square;
    const double no_parameters = 0;

    const bool done =
        equant_dataset_from_arrays(time_days.size(), time_days.data(), velocity_m_s.data(),
                                   sigma_m_s.data(), nullptr, 1, nullptr, nullptr,
                                   &dataset) == EQUANT_SUCCESS &&
        equant_model_create(&options, &model) == EQUANT_SUCCESS &&
        equant_evaluator_create(dataset, model, nullptr, &evaluator) == EQUANT_SUCCESS &&
        equant_evaluator_evaluate(evaluator, 1, &no_parameters, &results) == EQUANT_SUCCESS;
    if (!done)
        std::fprintf(stderr, "%s\n", equant_last_error());
    equant_evaluator_free(evaluator);
    equant_model_free(model);
    equant_dataset_free(dataset);

    // No planet and a solved offset: the sum of squares about the mean, 5.
    std::printf("consumer of equant %s in C++: chi-square %g\n", equant_version(), chi_square);
    return done && std::fabs(chi_square - 5) < 1e-12 ? 0 : 1;
}
