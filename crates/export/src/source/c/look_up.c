/* A row of a table; zeros if its index is NaN. */
static void look_up(const double *table, double place, double *found, size_t width) {
    for (size_t at = 0; at < width; at++) {
        found[at] = isnan(place) ? 0.0 : table[(size_t) place * width + at];
    }
}
