/* Largest number. */
static double largest(const double *numbers, size_t n) {
    double best = numbers[0];
    for (size_t at = 1; at < n; at++) {
        if (numbers[at] > best) {
            best = numbers[at];
        }
    }
    return best;
}
