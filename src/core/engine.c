#include "core/engine.h"

#include <math.h>
#include <string.h>

#include "core/status_fail.h"

/* The tolerance and the cap of Ford (2008). */
#define DANBY_TOLERANCE 1e-6
#define DANBY_MAX_ITERATIONS 10

bool engine_is_automatic(const equant_engine_options *options)
{
    const char *name = OPTION_OR_ZERO(options, equant_engine_options, backend);
    return !name || strcmp(name, "auto") == 0;
}

static equant_status check_engine(const backend_engine *engine)
{
    if ((int)engine->precision < 0 || engine->precision > EQUANT_PRECISION_PAIR)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no precision number %d",
                           (int)engine->precision);
    if ((int)engine->solver < 0 || engine->solver > EQUANT_SOLVER_DANBY)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no solver number %d",
                           (int)engine->solver);
    if ((int)engine->summation < 0 || engine->summation > EQUANT_SUMMATION_COMPENSATED)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no summation number %d",
                           (int)engine->summation);
    if (engine->n_threads < 0 || engine->n_threads > ENGINE_MAX_THREADS)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the number of threads is from 1 to %d, not %d", ENGINE_MAX_THREADS,
                           engine->n_threads);
    if (!(engine->danby_tolerance > 0.0) || !isfinite(engine->danby_tolerance))
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the tolerance of the solver is a positive number, not %g",
                           engine->danby_tolerance);
    if (engine->danby_max_iterations < 1 || engine->danby_max_iterations > 1000)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the solver iterates from 1 to 1000 times, not %d",
                           engine->danby_max_iterations);
    if ((int)engine->implementation < 0 || engine->implementation > EQUANT_IMPLEMENTATION_SPLIT)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no implementation number %d",
                           (int)engine->implementation);
    if ((int)engine->first_guess < 0 || engine->first_guess > EQUANT_FIRST_GUESS_TABULATED)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT, "there is no first guess number %d",
                           (int)engine->first_guess);
    if (engine->first_guess == EQUANT_FIRST_GUESS_TABULATED &&
        engine->solver != EQUANT_SOLVER_DANBY)
        return status_fail(EQUANT_ERROR_INVALID_ARGUMENT,
                           "the tabulated first guess belongs to the danby solver; the fast one "
                           "has its own");
    return EQUANT_SUCCESS;
}

equant_status engine_check_device_options(const backend_engine *engine, const backend *chosen)
{
    if (chosen->device)
        return EQUANT_SUCCESS;
    if (engine->implementation == EQUANT_IMPLEMENTATION_SPLIT)
        return status_fail(EQUANT_ERROR_UNAVAILABLE,
                           "backend '%s' has no split implementation: only GPUs do", chosen->name);
    if (engine->first_guess == EQUANT_FIRST_GUESS_TABULATED)
        return status_fail(EQUANT_ERROR_UNAVAILABLE,
                           "backend '%s' has no tabulated first guess: only GPUs do", chosen->name);
    return EQUANT_SUCCESS;
}

equant_status engine_complete(const equant_engine_options *options, backend_engine *engine)
{
    equant_status status = OPTIONS_CHECK(options);
    if (status != EQUANT_SUCCESS)
        return status;
    engine->precision = OPTION_OR_ZERO(options, equant_engine_options, precision);
    engine->solver = OPTION_OR_ZERO(options, equant_engine_options, solver);
    engine->summation = OPTION_OR_ZERO(options, equant_engine_options, summation);
    engine->n_threads = OPTION_OR_ZERO(options, equant_engine_options, n_threads);
    engine->danby_tolerance = OPTION_OR_ZERO(options, equant_engine_options, danby_tolerance);
    engine->danby_max_iterations =
        OPTION_OR_ZERO(options, equant_engine_options, danby_max_iterations);
    const equant_paper_options *paper = OPTION_OR_ZERO(options, equant_engine_options, paper);
    status = OPTIONS_CHECK(paper);
    if (status != EQUANT_SUCCESS)
        return status;
    engine->implementation = OPTION_OR_ZERO(paper, equant_paper_options, implementation);
    engine->first_guess = OPTION_OR_ZERO(paper, equant_paper_options, first_guess);
    if (engine->danby_tolerance == 0.0)
        engine->danby_tolerance = DANBY_TOLERANCE;
    if (engine->danby_max_iterations == 0)
        engine->danby_max_iterations = DANBY_MAX_ITERATIONS;
    engine->device = 0;
    return check_engine(engine);
}

equant_status engine_require_device(const backend *chosen)
{
    return chosen->device ? EQUANT_SUCCESS
                          : status_fail(EQUANT_ERROR_UNAVAILABLE,
                                        "backend '%s' has no device memory", chosen->name);
}

equant_status engine_report(const backend *chosen, equant_status status)
{
    if (status == EQUANT_SUCCESS)
        return status;
    if (chosen->explain)
        return status_fail(status, "backend '%s': %s", chosen->name, chosen->explain());
    return status == EQUANT_ERROR_OUT_OF_MEMORY
               ? status_out_of_memory()
               : status_fail(status, "backend '%s': %s", chosen->name, equant_status_name(status));
}
