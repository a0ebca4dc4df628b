/* A model of method @METHOD@, exported by imbcore. C99 or later; link with -lm.
 *
 * @NAME@_predict(row, proba) returns the code of the predicted class (its label is @NAME@_classes[code]) and writes the probabilities of
 * all classes. It returns -1 and writes NAN if the row has a missing value that the model does not accept. A row has one double per
 * feature, in the order of @NAME@_features: a number, or the result of @NAME@_level(feature, text); NAN is a missing value. */
#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define @UPPER@_N_FEATURES @N_FEATURES@
#define @UPPER@_N_CLASSES @N_CLASSES@

const char *const @NAME@_features[@N_FEATURES@] = {@FEATURES@};
const char *const @NAME@_classes[@N_CLASSES@] = {@CLASSES@};

static const char *const LEVELS[@N_LEVELS@] = {@LEVELS@};
static const size_t STARTS[@N_STARTS@] = {@STARTS@};
@ARRAYS@
@HELPERS@/* Code of a level of a feature; NAN for a text that is not in the training data. */
double @NAME@_level(size_t feature, const char *text) {
    for (size_t at = STARTS[feature]; at < STARTS[feature + 1]; at++) {
        if (strcmp(LEVELS[at], text) == 0) {
            return (double) (at - STARTS[feature]);
        }
    }
    return NAN;
}

int @NAME@_predict(const double *row, double *proba) {
    double x[@N_FEATURES@];
    for (size_t feature = 0; feature < @N_FEATURES@; feature++) {
        size_t levels = STARTS[feature + 1] - STARTS[feature];
        int is_level = row[feature] >= 0.0 && row[feature] < (double) levels;
        x[feature] = levels == 0 || is_level ? row[feature] : NAN;
    }
    /* A constant model reads no feature. */
    (void) x;
@BODY@}
