/* Any bytes as a file of priors for a small star: priors for every parameter come out, each with
 * its words, or a sentence that names the file. */
#include "equant.h"
#include "scratch.h"

static equant_dataset *small_star(void)
{
    static const char table[] = "time,rv,err\n2455000,1,2\n2455010,5,2\n2455017,-3,2\n"
                                "2455031,2,2\n2455040,0,2\n2455052,4,2\n2455060,-5,2\n";
    return scratch_star(table);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t n_bytes)
{
    static equant_dataset *star;
    if (star == NULL)
        star = small_star();
    equant_priors_options options = {.struct_size = sizeof options, .n_planets = 2};
    equant_priors *priors = NULL;
    scratch_write("priors.yaml", n_bytes, data);
    equant_status status =
        equant_priors_from_file(scratch_path("priors.yaml"), star, &options, &priors);
    PROMISE((status == EQUANT_SUCCESS) == (priors != NULL));
    if (status != EQUANT_SUCCESS) {
        PROMISE(status != EQUANT_ERROR_INTERNAL && strlen(equant_last_error()) > 0);
        return 0;
    }
    PROMISE(equant_priors_n(priors) >= 10);
    for (size_t i = 0; i < equant_priors_n(priors); i++) {
        PROMISE(strlen(equant_priors_name(priors, i)) > 0);
        PROMISE(strlen(equant_priors_text(priors, i)) > 0);
    }
    equant_priors_free(priors);
    return 0;
}
