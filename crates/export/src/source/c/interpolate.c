/* Linear interpolation between points. */
static double interpolate(const double *points, const double *values, size_t n, double score) {
    size_t at = count_less(points, n, score);
    if (at == n) {
        return values[n - 1];
    }
    if (at == 0 || points[at] == score) {
        return values[at];
    }
    double low = points[at - 1], from = values[at - 1], to = values[at];
    double value = (to - from) / (points[at] - low) * (score - low) + from;
    return value < to ? value : to;
}
