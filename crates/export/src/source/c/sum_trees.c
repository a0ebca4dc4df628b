/* Sum of the leaf values that a row reaches in the trees. */
static void sum_trees(const double *x, const uint32_t *roots, size_t n, double *sums, size_t width) {
    for (size_t at = 0; at < width; at++) {
        sums[at] = 0.0;
    }
    for (size_t tree = 0; tree < n; tree++) {
        uint32_t node = roots[tree];
        while (KIND[node] != 0) {
            node = next_node(node, x);
        }
        for (size_t at = 0; at < width; at++) {
            sums[at] += VALUES[FIRST[node] + at];
        }
    }
}
