/* Speed and error of the CUDA backend on the benchmark of Ford (2008): parameters resident
 * on the card, and from host memory; errors against the double precision of the processor.
 * Built and run by scripts/gpu-check. Usage: gpu_speed [PRECISION...], by default all. */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <vector>

#include <cuda_runtime.h>

#include "equant.h"

static const size_t n_obs = 256, n_planets = 4, n_large = 1228800, n_paper = 122880, n_small = 1024;
static const size_t n_checked = 30720;

static void must(equant_status status)
{
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "gpu_speed: %s\n", equant_last_error());
        exit(1);
    }
}

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "gpu_speed: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static equant_dataset *make_dataset()
{
    std::vector<double> u(2 * n_obs), time(n_obs), velocity(n_obs), uncertainty(n_obs, 2.0);
    must(equant_random_uniform(1, 1, 0, u.size(), u.data()));
    for (size_t k = 0; k < n_obs; k++) {
        time[k] = 2450000.0 + 3652.5 * u[k];
        velocity[k] = 100.0 * (u[n_obs + k] - 0.5);
    }
    equant_dataset *dataset;
    must(equant_dataset_from_arrays(n_obs, time.data(), velocity.data(), uncertainty.data(),
                                    nullptr, 1, nullptr, nullptr, &dataset));
    return dataset;
}

static equant_evaluator *make_evaluator(const equant_dataset *dataset, const equant_model *model,
                                        const char *backend, int precision, int solver)
{
    equant_engine_options engine = {};
    engine.struct_size = sizeof engine;
    engine.backend = backend;
    engine.precision = (equant_precision)precision;
    engine.solver = (equant_solver)solver;
    equant_evaluator *evaluator;
    must(equant_evaluator_create(dataset, model, &engine, &evaluator));
    return evaluator;
}

/* Seconds of the fastest of several calls that follow each other. */
template <class Call> static double fastest(int n_calls, Call call)
{
    double best = INFINITY;
    for (int round = 0; round < 7; round++) {
        must(cudaDeviceSynchronize());
        auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < n_calls; i++)
            call();
        must(cudaDeviceSynchronize());
        std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        best = std::min(best, spent.count() / n_calls);
    }
    return best;
}

static equant_results chi_square_into(double *words)
{
    equant_results results = {};
    results.struct_size = sizeof results;
    results.chi_square = words;
    return results;
}

/* True for a precision that the command line names, or when it names none. */
static bool is_asked_for(int argc, char **argv, const char *precision)
{
    bool named = argc < 2;
    for (int i = 1; i < argc; i++)
        named = named || strcmp(argv[i], precision) == 0;
    return named;
}

int main(int argc, char **argv)
{
    static const char *const precisions[] = {"double", "mixed", "single", "pair"};
    static const char *const solvers[] = {"fast", "danby"};
    equant_dataset *dataset = make_dataset();
    equant_model_options shape = {};
    shape.struct_size = sizeof shape;
    shape.n_planets = n_planets;
    equant_model *model;
    must(equant_model_create(&shape, &model));
    std::vector<double> sets(n_large * 5 * n_planets), truth(n_checked), chi_square(n_large);
    must(equant_orbits_draw(nullptr, 1, 0, n_large, n_planets, sets.data()));
    equant_results expected = chi_square_into(truth.data());
    equant_evaluator *reference = make_evaluator(dataset, model, nullptr, 0, 0);
    must(equant_evaluator_evaluate(reference, n_checked, sets.data(), &expected));
    double *device_sets, *device_chi_square;
    must(cudaMalloc((void **)&device_sets, sets.size() * sizeof(double)));
    must(cudaMalloc((void **)&device_chi_square, n_large * sizeof(double)));
    must(
        cudaMemcpy(device_sets, sets.data(), sets.size() * sizeof(double), cudaMemcpyHostToDevice));
    equant_results on_device = chi_square_into(device_chi_square);
    equant_results on_host = chi_square_into(chi_square.data());

    printf("systems/s, %zu planets, %zu observations, offset solved\n", n_planets, n_obs);
    printf("%-7s %-6s %12zu %12zu %15s %15s %10s %10s\n", "", "", n_large, n_paper, "us for 1024",
           "from the host", "max frac", "L1");
    for (int precision = 0; precision < 4; precision++)
        for (int solver = 0; solver < 2; solver++) {
            if (!is_asked_for(argc, argv, precisions[precision]))
                continue;
            equant_evaluator *evaluator = make_evaluator(dataset, model, "cuda", precision, solver);
            auto resident = [&](size_t n) {
                must(equant_evaluator_evaluate_on_device(evaluator, n, device_sets, &on_device,
                                                         nullptr));
            };
            double large = fastest(1, [&] { resident(n_large); });
            double paper = fastest(4, [&] { resident(n_paper); });
            double small = fastest(200, [&] { resident(n_small); });
            double host = fastest(1, [&] {
                must(equant_evaluator_evaluate(evaluator, n_paper, sets.data(), &on_host));
            });
            double worst = 0, error_sum = 0, sum = 0;
            for (size_t i = 0; i < n_checked; i++) {
                double error = fabs(chi_square[i] - truth[i]);
                worst = std::max(worst, error / truth[i]);
                error_sum += error;
                sum += truth[i];
            }
            printf("%-7s %-6s %12.3g %12.3g %15.1f %15.3g %10.1e %10.1e\n", precisions[precision],
                   solvers[solver], n_large / large, n_paper / paper, small * 1e6, n_paper / host,
                   worst, error_sum / sum);
            equant_evaluator_free(evaluator);
        }
}
