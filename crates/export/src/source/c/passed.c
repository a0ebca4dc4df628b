/* Number of ascending places that are less than a value. */
static size_t passed(const double *places, size_t n, double value) {
    size_t count = 0;
    while (count < n && places[count] < value) {
        count++;
    }
    return count;
}
