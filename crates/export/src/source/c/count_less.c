/* Number of ascending points that are less than a value. */
static size_t count_less(const double *points, size_t n, double value) {
    size_t count = 0;
    while (count < n && points[count] < value) {
        count++;
    }
    return count;
}
