/* Number of ascending places that are at most a value. */
static size_t reached(const double *places, size_t n, double value) {
    size_t count = 0;
    while (count < n && places[count] <= value) {
        count++;
    }
    return count;
}
