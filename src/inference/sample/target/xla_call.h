/* What XLA hands to a foreign function: the binary interface of its typed FFI, version 0.1 and
 * later. Only what a handler on processors reads is here. XLA appends members and moves none while
 * the major version is 0; tests compare the layout with the headers that come with jaxlib. */
#ifndef EQUANT_INFERENCE_SAMPLE_TARGET_XLA_CALL_H
#define EQUANT_INFERENCE_SAMPLE_TARGET_XLA_CALL_H

#include <stddef.h>
#include <stdint.h>

enum { XLA_EXTENSION_METADATA = 1 };
enum { XLA_TYPE_INT64 = 5, XLA_TYPE_FLOAT64 = 12 };
enum { XLA_ATTRIBUTE_SCALAR = 3 };
enum { XLA_STAGE_EXECUTE = 3 };
enum { XLA_INVALID_ARGUMENT = 3, XLA_NOT_FOUND = 5, XLA_INTERNAL = 13 };

typedef struct xla_extension {
    size_t struct_size;
    int type;
    struct xla_extension *next;
} xla_extension;

typedef struct xla_version {
    size_t struct_size;
    xla_extension *extension;
    int major, minor;
} xla_version;

/* Asked for once, when a handler is registered. */
typedef struct xla_metadata {
    size_t struct_size;
    xla_version version;
    uint32_t traits;
} xla_metadata;

typedef struct xla_metadata_extension {
    xla_extension base;
    xla_metadata *metadata;
} xla_metadata_extension;

typedef struct xla_buffer {
    size_t struct_size;
    xla_extension *extension;
    int type;
    void *data;
    int64_t rank;
    int64_t *sizes; /* [rank] */
} xla_buffer;

typedef struct xla_scalar {
    int type;
    void *value;
} xla_scalar;

typedef struct xla_text {
    const char *characters; /* no NUL behind them */
    size_t length;
} xla_text;

/* Arguments, and results. */
typedef struct xla_buffers {
    size_t struct_size;
    xla_extension *extension;
    int64_t n;
    int *kinds;
    xla_buffer **buffers;
} xla_buffers;

typedef struct xla_attributes {
    size_t struct_size;
    xla_extension *extension;
    int64_t n;
    int *kinds;
    xla_text **names;
    void **values;
} xla_attributes;

typedef struct xla_error_request {
    size_t struct_size;
    xla_extension *extension;
    const char *message;
    int code;
} xla_error_request;

typedef struct xla_functions {
    size_t struct_size;
    xla_extension *extension;
    xla_version version;
    const void *internal;
    void *(*create_error)(xla_error_request *request);
} xla_functions;

typedef struct xla_call {
    size_t struct_size;
    xla_extension *extension;
    const xla_functions *functions;
    void *context;
    int stage;
    xla_buffers arguments, results;
    xla_attributes attributes;
} xla_call;

#endif
