/* Index of the first of the largest numbers. */
static double first_largest(const double *numbers, size_t n) {
    size_t most = 0;
    for (size_t at = 1; at < n; at++) {
        if (numbers[at] > numbers[most]) {
            most = at;
        }
    }
    return (double) most;
}
