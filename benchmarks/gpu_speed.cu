/* Speed and error of the CUDA backend on the benchmark of Ford (2008): parameters resident
 * on the GPU, and from host memory; errors against the double precision of the processor, and
 * over those of the paper's own algorithm in mixed precision on the same data.
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
extern "C" {
#include "../apps/equant/bench/reference_single.h"
}

static const size_t n_obs = 256, n_planets = 4, n_large = 1228800, n_paper = 122880, n_small = 1024;
static const size_t n_checked = 122880;

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

/* Chi-square of the first sets with the offset given, as in the paper. */
struct errors {
    double worst = 0, error_sum = 0, sum = 0;
    errors(const std::vector<double> &chi_square, const std::vector<double> &truth)
    {
        for (size_t i = 0; i < n_checked; i++) {
            double error = fabs(chi_square[i] - truth[i]);
            worst = std::max(worst, error / truth[i]);
            error_sum += error;
            sum += truth[i];
        }
    }
    double l1() const
    {
        return error_sum / sum;
    }
};

static std::vector<double> with_offsets(const std::vector<double> &sets)
{
    std::vector<double> given(n_checked * (5 * n_planets + 1), 0.0);
    for (size_t i = 0; i < n_checked; i++)
        std::copy_n(&sets[i * 5 * n_planets], 5 * n_planets, &given[i * (5 * n_planets + 1)]);
    return given;
}

static std::vector<double> paper_algorithm(const equant_dataset *dataset,
                                           const std::vector<double> &given)
{
    reference_observations observations = {n_obs,
                                           equant_dataset_times_days(dataset),
                                           equant_dataset_velocities_m_s(dataset),
                                           equant_dataset_uncertainties_m_s(dataset),
                                           equant_dataset_reference_time_days(dataset),
                                           0.0};
    std::vector<double> chi_square(n_checked);
    reference_single_chi_square(&observations, n_planets, n_checked, given.data(), true,
                                equant_default_threads(), chi_square.data());
    return chi_square;
}

static std::vector<double> evaluate(equant_evaluator *evaluator, const std::vector<double> &sets)
{
    std::vector<double> chi_square(n_checked);
    equant_results results = chi_square_into(chi_square.data());
    must(equant_evaluator_evaluate(evaluator, n_checked, sets.data(), &results));
    equant_evaluator_free(evaluator);
    return chi_square;
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
    equant_model *model, *model_given;
    must(equant_model_create(&shape, &model));
    shape.offset_columns = EQUANT_NUISANCE_GIVEN;
    must(equant_model_create(&shape, &model_given));
    std::vector<double> sets(n_large * 5 * n_planets), chi_square(n_large);
    must(equant_orbits_draw(nullptr, 1, 0, n_large, n_planets, sets.data()));
    std::vector<double> given = with_offsets(sets);
    std::vector<double> truth = evaluate(make_evaluator(dataset, model_given, "cpu", 0, 0), given);
    errors paper_errors(paper_algorithm(dataset, given), truth);
    double *device_sets, *device_chi_square;
    must(cudaMalloc((void **)&device_sets, sets.size() * sizeof(double)));
    must(cudaMalloc((void **)&device_chi_square, n_large * sizeof(double)));
    must(
        cudaMemcpy(device_sets, sets.data(), sets.size() * sizeof(double), cudaMemcpyHostToDevice));
    equant_results on_device = chi_square_into(device_chi_square);
    equant_results on_host = chi_square_into(chi_square.data());

    printf("systems/s, %zu planets, %zu observations, offset solved\n", n_planets, n_obs);
    printf("%-7s %-6s %12zu %12zu %15s %15s %10s %10s %12s\n", "", "", n_large, n_paper,
           "us for 1024", "from the host", "max frac", "L1", "x paper");
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
            errors ours(
                evaluate(make_evaluator(dataset, model_given, "cuda", precision, solver), given),
                truth);
            printf("%-7s %-6s %12.3g %12.3g %15.1f %15.3g %10.1e %10.1e %7.2g, %.2g\n",
                   precisions[precision], solvers[solver], n_large / large, n_paper / paper,
                   small * 1e6, n_paper / host, ours.worst, ours.l1(),
                   ours.worst / paper_errors.worst, ours.l1() / paper_errors.l1());
            equant_evaluator_free(evaluator);
        }

    /* What a sampler asks for: offset and jitter among the parameters, the log-likelihood out. */
    shape.with_jitter = 1;
    equant_model *model_jitter;
    must(equant_model_create(&shape, &model_jitter));
    size_t n_columns = equant_model_n_parameters(model_jitter);
    std::vector<double> jittered(n_paper * n_columns, 1.0);
    for (size_t i = 0; i < n_paper; i++)
        std::copy_n(&sets[i * 5 * n_planets], 5 * n_planets, &jittered[i * n_columns]);
    must(cudaMemcpy(device_sets, jittered.data(), jittered.size() * sizeof(double),
                    cudaMemcpyHostToDevice));
    equant_results likelihood = {};
    likelihood.struct_size = sizeof likelihood;
    likelihood.log_likelihood = device_chi_square;
    printf("\nsystems/s with jitter and offset given, log-likelihood\n");
    for (int precision = 0; precision < 4; precision++) {
        if (!is_asked_for(argc, argv, precisions[precision]))
            continue;
        equant_evaluator *evaluator = make_evaluator(dataset, model_jitter, "cuda", precision, 0);
        auto resident = [&](size_t n) {
            must(equant_evaluator_evaluate_on_device(evaluator, n, device_sets, &likelihood,
                                                     nullptr));
        };
        double paper = fastest(2, [&] { resident(n_paper); });
        double small = fastest(20, [&] { resident(10000); });
        printf("%-7s %12.3g for %zu, %12.3g for 10000\n", precisions[precision], n_paper / paper,
               n_paper, 10000 / small);
        equant_evaluator_free(evaluator);
    }
}
