/* Linear interpolation between points. */
static double curve(const double *places, const double *values, size_t n, double score) {
    size_t at = passed(places, n, score);
    if (at == n) {
        return values[n - 1];
    }
    if (at == 0 || places[at] == score) {
        return values[at];
    }
    double low = places[at - 1], from = values[at - 1], to = values[at];
    double value = (to - from) / (places[at] - low) * (score - low) + from;
    return value < to ? value : to;
}
