/* equant/status.h: status and errors. Every call that can fail answers with an equant_status. */
#ifndef EQUANT_STATUS_H
#define EQUANT_STATUS_H

#if defined(_WIN32)
#define EQUANT_API
#else
#define EQUANT_API __attribute__((visibility("default")))
#endif

/* Marks a function that may change its meaning or its arguments, or go, with any minor version; all
 * others are stable from 1.0 on. With EQUANT_WARN_EXPERIMENTAL defined before the headers are
 * included, compilers warn of each use. */
#if defined(EQUANT_WARN_EXPERIMENTAL) && defined(__GNUC__)
#define EQUANT_EXPERIMENTAL __attribute__((deprecated("this function of equant is experimental")))
#else
#define EQUANT_EXPERIMENTAL
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* 0 is the only success. Values are pinned and never reused. */
typedef enum equant_status {
    EQUANT_SUCCESS = 0,
    EQUANT_ERROR_INVALID_ARGUMENT = 1, /* a call that cannot be meant        */
    EQUANT_ERROR_OUT_OF_MEMORY = 2,
    EQUANT_ERROR_IO = 3,          /* a file that cannot be opened or read    */
    EQUANT_ERROR_FORMAT = 4,      /* a file whose contents make no sense     */
    EQUANT_ERROR_UNAVAILABLE = 5, /* a backend this machine or build lacks   */
    EQUANT_ERROR_CANCELLED = 6,   /* a progress callback asked to stop       */
    EQUANT_ERROR_DEVICE = 7,      /* an accelerator failed                   */
    EQUANT_ERROR_INTERNAL = 8     /* a defect in equant: please report it    */
} equant_status;

/* The sentence for a person about the last failure on the calling thread;
 * "" when there was none. For files it begins "FILE:LINE: ". Valid until the
 * next failing call on this thread. */
EQUANT_API const char *equant_last_error(void);

/* A fixed short name of a status, e.g. "invalid argument". Never NULL. */
EQUANT_API const char *equant_status_name(equant_status status);

#ifdef __cplusplus
}
#endif
#endif
