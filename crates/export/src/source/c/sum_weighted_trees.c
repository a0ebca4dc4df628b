/* Adds the leaf values below a node, weighted by the fraction of the row in it. */
static void add_leaves(const double *x, uint32_t node, double weight, double *sums, size_t width) {
    while (KIND[node] != 0) {
        if (!isnan(x[FEATURE[node]]) || FIRST_MASS[node] == UINT32_MAX) {
            node = next_node(node, x);
            continue;
        }
        const double *masses = MASSES + FIRST_MASS[node];
        double total = 0.0;
        for (uint32_t at = 0; at < N_CHILDREN[node]; at++) {
            total += masses[at];
        }
        for (uint32_t at = 0; at < N_CHILDREN[node]; at++) {
            double child_weight = weight * masses[at] / total;
            if (child_weight > 0.0) {
                add_leaves(x, FIRST[node] + at, child_weight, sums, width);
            }
        }
        return;
    }
    for (size_t at = 0; at < width; at++) {
        sums[at] += weight * VALUES[FIRST[node] + at];
    }
}

/* Sum of the leaf values that a row reaches in the trees. */
static void sum_trees(const double *x, const uint32_t *roots, size_t n, double *sums, size_t width) {
    for (size_t at = 0; at < width; at++) {
        sums[at] = 0.0;
    }
    for (size_t tree = 0; tree < n; tree++) {
        add_leaves(x, roots[tree], 1.0, sums, width);
    }
}
