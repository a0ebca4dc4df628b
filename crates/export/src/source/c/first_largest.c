/* Index of the first of the largest numbers. */
static double first_largest(const double *numbers, size_t n) {
    size_t best = 0;
    for (size_t at = 1; at < n; at++) {
        if (numbers[at] > numbers[best]) {
            best = at;
        }
    }
    return (double) best;
}
