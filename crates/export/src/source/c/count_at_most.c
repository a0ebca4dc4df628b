/* Number of ascending points that are at most a value. */
static size_t count_at_most(const double *points, size_t n, double value) {
    size_t count = 0;
    while (count < n && points[count] <= value) {
        count++;
    }
    return count;
}
