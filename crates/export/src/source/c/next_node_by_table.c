/* The child that a row follows. */
static uint32_t next_node(uint32_t node, const double *x) {
    double value = x[FEATURE[node]];
    if (isnan(value)) {
        return MISSING[node];
    }
    switch (KIND[node]) {
    case 1:
        return FIRST[node] + (value > BOUND[node]);
    case 2:
    case 5: {
        uint32_t level = (uint32_t) value, n_words = SETS[SET[node]];
        int in_set = level / 32 < n_words && (SETS[SET[node] + 1 + level / 32] >> (level % 32) & 1);
        return FIRST[node] + (in_set == (KIND[node] == 5));
    }
    case 6:
        return FIRST[node] + (LOOKUPS[SET[node] + (uint32_t) value] > BOUND[node]);
    case 3:
        return FIRST[node] + (uint32_t) value;
    default:
        return FIRST[node];
    }
}
