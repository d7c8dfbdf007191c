/* Speed and error of the CUDA backend under correlated noise: ln L of whole models, with parameters
 * on the GPU, and the error against the processor beside it. Built and run by
 * scripts/gpu-noise-check. */
#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <vector>

#include <cuda_runtime.h>

#include "equant.h"

static const size_t n_obs = 400, n_large = 1 << 18, n_small = 1024, n_checked = 4096;

static void must(equant_status status)
{
    if (status != EQUANT_SUCCESS) {
        fprintf(stderr, "gpu_noise: %s\n", equant_last_error());
        exit(1);
    }
}

static void must(cudaError_t error)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "gpu_noise: %s\n", cudaGetErrorString(error));
        exit(1);
    }
}

static equant_dataset *make_dataset()
{
    std::vector<double> u(3 * n_obs), time(n_obs), velocity(n_obs), uncertainty(n_obs);
    std::vector<int> instrument(n_obs);
    must(equant_random_uniform(1, 1, 0, u.size(), u.data()));
    for (size_t k = 0; k < n_obs; k++) {
        time[k] = 2450000.0 + 2000.0 * u[k];
        velocity[k] = 10.0 * (u[n_obs + k] - 0.5);
        uncertainty[k] = 1.0 + u[2 * n_obs + k];
        instrument[k] = k % 2;
    }
    equant_dataset *dataset;
    must(equant_dataset_from_arrays(n_obs, time.data(), velocity.data(), uncertainty.data(),
                                    instrument.data(), 2, nullptr, nullptr, &dataset));
    return dataset;
}

static equant_evaluator *make_evaluator(const equant_dataset *dataset, const equant_model *model,
                                        const char *backend, equant_precision precision)
{
    equant_engine_options engine = {};
    engine.struct_size = sizeof engine;
    engine.backend = backend;
    engine.precision = precision;
    equant_evaluator *evaluator;
    must(equant_evaluator_create(dataset, model, &engine, &evaluator));
    return evaluator;
}

static double fastest(int n_calls, equant_evaluator *evaluator, size_t n_sets,
                      const double *parameters, const equant_results *results)
{
    double best = INFINITY;
    for (int round = 0; round < 5; round++) {
        must(cudaDeviceSynchronize());
        auto start = std::chrono::steady_clock::now();
        for (int i = 0; i < n_calls; i++)
            must(equant_evaluator_evaluate_on_device(evaluator, n_sets, parameters, results,
                                                     nullptr));
        must(cudaDeviceSynchronize());
        std::chrono::duration<double> spent = std::chrono::steady_clock::now() - start;
        best = std::min(best, spent.count() / n_calls);
    }
    return best;
}

struct noise_case {
    const char *noise;
    std::vector<double> values;
};

/* Sets around one: planets, offsets, jitters, noise. */
static std::vector<double> make_sets(size_t n_planets, const noise_case &own, size_t n_sets)
{
    size_t n = 5 * n_planets + 4 + own.values.size();
    std::vector<double> sets(n_sets * n), u(n_sets * n);
    must(equant_random_uniform(2, 1, 0, u.size(), u.data()));
    for (size_t s = 0; s < n_sets; s++) {
        double *set = &sets[s * n];
        const double *random = &u[s * n];
        for (size_t p = 0; p < n_planets; p++) {
            const double element[5] = {5.0 + 100.0 * random[5 * p], 1.0 + 2.0 * random[5 * p + 1],
                                       0.6 * random[5 * p + 2], 6.28 * random[5 * p + 3],
                                       6.28 * random[5 * p + 4]};
            std::copy_n(element, 5, set + 5 * p);
        }
        for (size_t i = 5 * n_planets; i < 5 * n_planets + 4; i++)
            set[i] = random[i];
        for (size_t i = 0; i < own.values.size(); i++)
            set[5 * n_planets + 4 + i] = own.values[i] * (0.5 + random[5 * n_planets + 4 + i]);
    }
    return sets;
}

static void measure(const equant_dataset *dataset, size_t n_planets, const noise_case &own,
                    equant_precision precision)
{
    equant_model_options options = {};
    options.struct_size = sizeof options;
    options.n_planets = n_planets;
    options.n_instruments = 2;
    options.offset_columns = EQUANT_NUISANCE_GIVEN;
    options.with_jitter = 1;
    options.noise = own.noise;
    equant_model *model;
    must(equant_model_create(&options, &model));
    std::vector<double> sets = make_sets(n_planets, own, n_large);
    equant_evaluator *gpu = make_evaluator(dataset, model, "cuda", precision);
    equant_evaluator *processor = make_evaluator(dataset, model, "cpu", EQUANT_PRECISION_DOUBLE);
    double *parameters, *log_likelihood;
    must(cudaMalloc(&parameters, sets.size() * sizeof(double)));
    must(cudaMalloc(&log_likelihood, n_large * sizeof(double)));
    must(cudaMemcpy(parameters, sets.data(), sets.size() * sizeof(double), cudaMemcpyHostToDevice));
    equant_results results = {};
    results.struct_size = sizeof results;
    results.log_likelihood = log_likelihood;
    double large = fastest(2, gpu, n_large, parameters, &results);
    double small = fastest(10, gpu, n_small, parameters, &results);
    std::vector<double> found(n_checked), wanted(n_checked);
    must(equant_evaluator_evaluate_on_device(gpu, n_large, parameters, &results, nullptr));
    must(cudaDeviceSynchronize());
    must(cudaMemcpy(found.data(), log_likelihood, n_checked * sizeof(double),
                    cudaMemcpyDeviceToHost));
    equant_results on_host = {};
    on_host.struct_size = sizeof on_host;
    on_host.log_likelihood = wanted.data();
    must(equant_evaluator_evaluate(processor, n_checked, sets.data(), &on_host));
    double worst = 0.0;
    for (size_t i = 0; i < n_checked; i++)
        if (std::isfinite(wanted[i]) || std::isfinite(found[i]))
            worst = std::max(worst, fabs(found[i] / wanted[i] - 1.0));
    printf("%-16s %zu planets, %-6s %9.3g ln L/s (%zu at a time: %9.3g)  largest error %.1e\n",
           own.noise ? own.noise : "white", n_planets,
           precision == EQUANT_PRECISION_DOUBLE ? "double" : "mixed", n_large / large, n_small,
           n_small / small, worst);
    cudaFree(parameters);
    cudaFree(log_likelihood);
    equant_evaluator_free(gpu);
    equant_evaluator_free(processor);
    equant_model_free(model);
}

int main()
{
    const noise_case cases[] = {{nullptr, {}},
                                {"night", {1.5}},
                                {"exponential", {1.5, 1.0}},
                                {"sho", {3.0, 20.0, 1.0}},
                                {"matern52", {3.0, 20.0}},
                                {"rotation", {3.0, 25.0, 1.0, 0.5, 0.3}},
                                {"mep", {3.0, 25.0, 50.0, 0.5}},
                                {"rotation, night", {3.0, 25.0, 1.0, 0.5, 0.3, 1.5}},
                                {"mep, night", {3.0, 25.0, 50.0, 0.5, 1.5}},
                                {"night@0", {1.5}},
                                {"mep, night@0", {3.0, 25.0, 50.0, 0.5, 1.5}},
                                {"rotation@0", {3.0, 25.0, 1.0, 0.5, 0.3}},
                                {"esp2", {3.0, 25.0, 50.0, 0.5}}};
    equant_dataset *dataset = make_dataset();
    printf("%zu observations of two instruments, offsets and jitters given\n", n_obs);
    for (const noise_case &own : cases)
        for (size_t n_planets = 0; n_planets <= 3; n_planets += 3)
            measure(dataset, n_planets, own, EQUANT_PRECISION_DOUBLE);
    for (const noise_case &own : cases)
        measure(dataset, 3, own, EQUANT_PRECISION_MIXED);
    equant_dataset_free(dataset);
    return 0;
}
