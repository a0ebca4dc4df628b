/* A row of a table; zeros if its index is NaN. */
static void copy_row(const double *table, double index, double *row, size_t width) {
    for (size_t at = 0; at < width; at++) {
        row[at] = isnan(index) ? 0.0 : table[(size_t) index * width + at];
    }
}
