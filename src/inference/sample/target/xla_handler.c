/* Targets as operations of programs of XLA: the public equant_xla_handler. */
#include <fenv.h>
#include <string.h>

#include "core/status_fail.h"
#include "inference/sample/target/xla_call.h"
#include "inference/sample/target/xla_target_list.h"

/* What a call is about, read from its frame. */
typedef struct request {
    int64_t number, density;
    const xla_buffer *points, *values, *gradients; /* the last may be NULL */
} request;

static void *fail(const xla_call *call, int code, const char *message)
{
    xla_error_request error = {sizeof error, NULL, message, code};
    return call->functions->create_error(&error);
}

/* XLA asks for the version that a handler was written for. Every version so far will do; some
 * versions of jaxlib accept none but their own. */
static void describe(const xla_call *call)
{
    xla_metadata *metadata = ((xla_metadata_extension *)call->extension)->metadata;
    metadata->version.major = 0;
    metadata->version.minor = call->functions ? call->functions->version.minor : 1;
    metadata->traits = 0;
}

static int64_t attribute(const xla_call *call, const char *name)
{
    const xla_attributes *all = &call->attributes;
    for (int64_t i = 0; i < all->n; i++) {
        const xla_scalar *scalar = all->values[i];
        if (all->kinds[i] == XLA_ATTRIBUTE_SCALAR && all->names[i]->length == strlen(name) &&
            memcmp(all->names[i]->characters, name, strlen(name)) == 0 &&
            scalar->type == XLA_TYPE_INT64)
            return *(const int64_t *)scalar->value;
    }
    return -1;
}

/* Whether a buffer has the sizes of the points but for the last `n_less`. */
static int is_shaped(const xla_buffer *buffer, const xla_buffer *points, int64_t n_less)
{
    return buffer->type == XLA_TYPE_FLOAT64 && buffer->rank == points->rank - n_less &&
           memcmp(buffer->sizes, points->sizes, (size_t)buffer->rank * sizeof(int64_t)) == 0;
}

static int read_request(const xla_call *call, request *read)
{
    const xla_buffers *in = &call->arguments, *out = &call->results;
    if (in->n != 1 || out->n < 1 || out->n > 2)
        return 0;
    *read = (request){attribute(call, "target"), attribute(call, "density"), in->buffers[0],
                      out->buffers[0], out->n > 1 ? out->buffers[1] : NULL};
    return read->points->type == XLA_TYPE_FLOAT64 && read->points->rank >= 1 &&
           read->density >= 0 && read->density <= 2 && is_shaped(read->values, read->points, 1) &&
           (!read->gradients || is_shaped(read->gradients, read->points, 0));
}

static size_t n_points(const request *asked)
{
    size_t n = 1;
    for (int64_t i = 0; i < asked->points->rank - 1; i++)
        n *= (size_t)asked->points->sizes[i];
    return n;
}

static equant_status differentiate(equant_target *target, const request *asked)
{
    double *values = asked->values->data, *gradients = asked->gradients->data;
    equant_target_derivatives out = {.struct_size = sizeof out};
    *(asked->density == 0   ? &out.log_probability
      : asked->density == 1 ? &out.log_likelihood
                            : &out.log_prior) = values;
    *(asked->density == 0   ? &out.log_probability_gradient
      : asked->density == 1 ? &out.log_likelihood_gradient
                            : &out.log_prior_gradient) = gradients;
    return equant_target_differentiate(target, n_points(asked), asked->points->data, &out);
}

static equant_status evaluate(equant_target *target, const request *asked)
{
    if (asked->gradients)
        return differentiate(target, asked);
    const size_t n = n_points(asked);
    const double *points = asked->points->data;
    double *values = asked->values->data;
    return asked->density == 0   ? equant_target_log_probability(target, n, points, values)
           : asked->density == 1 ? equant_target_log_likelihood(target, n, points, values)
                                 : equant_target_log_prior(target, n, points, values);
}

static void *execute(const xla_call *call)
{
    request asked;
    if (!read_request(call, &asked))
        return fail(call, XLA_INVALID_ARGUMENT,
                    "equant takes points as float64 [...][n_dimensions], and gives values [...] "
                    "and gradients [...][n_dimensions]");
    xla_target *entered = xla_target_acquire(asked.number);
    if (!entered)
        return fail(call, XLA_NOT_FOUND,
                    "the target of this program is gone: keep the equant.Target as long as the "
                    "program that was made of it");
    size_t width = equant_target_n_dimensions(entered->target);
    void *error = NULL;
    if (asked.points->sizes[asked.points->rank - 1] != (int64_t)width)
        error = fail(call, XLA_INVALID_ARGUMENT, "the points have another number of dimensions");
    else if (evaluate(entered->target, &asked) != EQUANT_SUCCESS)
        error = fail(call, XLA_INTERNAL, equant_last_error());
    xla_target_release(entered);
    return error;
}

void *equant_xla_handler(void *call_frame)
{
    if (!call_frame)
        return NULL;
    const xla_call *call = call_frame;
    if (call->extension && call->extension->type == XLA_EXTENSION_METADATA) {
        describe(call);
        return NULL;
    }
    if (call->stage != XLA_STAGE_EXECUTE)
        return NULL;
    /* The threads of XLA take the smallest numbers for zero; ours do not. */
    fenv_t of_xla;
    fegetenv(&of_xla);
    fesetenv(FE_DFL_ENV);
    void *error = execute(call);
    fesetenv(&of_xla);
    return error;
}
