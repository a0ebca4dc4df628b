/* Adds the leaf values below a node, weighted by the fraction of the row in it. */
static void leaves(const double *x, uint32_t node, double share, double *sums, size_t width) {
    while (KIND[node] != 0) {
        if (!isnan(x[FEATURE[node]]) || SHARED[node] == UINT32_MAX) {
            node = next(node, x);
            continue;
        }
        const double *masses = MASSES + SHARED[node];
        double total = 0.0;
        for (uint32_t at = 0; at < N_CHILDREN[node]; at++) {
            total += masses[at];
        }
        for (uint32_t at = 0; at < N_CHILDREN[node]; at++) {
            double part = share * masses[at] / total;
            if (part > 0.0) {
                leaves(x, FIRST[node] + at, part, sums, width);
            }
        }
        return;
    }
    for (size_t at = 0; at < width; at++) {
        sums[at] += share * VALUES[FIRST[node] + at];
    }
}

/* Sum of the leaf values that a row reaches in the trees. */
static void trees(const double *x, const uint32_t *roots, size_t n, double *sums, size_t width) {
    for (size_t at = 0; at < width; at++) {
        sums[at] = 0.0;
    }
    for (size_t tree = 0; tree < n; tree++) {
        leaves(x, roots[tree], 1.0, sums, width);
    }
}
