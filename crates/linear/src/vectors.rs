//! Sums and products of lists of numbers.
//!
//! The functions are inlined, so that the compiler uses the vector instructions for which their callers are
//! compiled.

/// Dot product of `a` with the first values of `b`, which may be longer; uses 8 partial sums.
#[inline(always)]
pub(crate) fn dot(a: &[f64], b: &[f64]) -> f64 {
    sum_of_mapped_products(a, b, |y| y)
}

/// Sum over `a[i] * f(b[i])`, by 8 partial sums; `b` may be longer than `a`.
#[inline(always)]
pub(crate) fn sum_of_mapped_products(a: &[f64], b: &[f64], f: impl Fn(f64) -> f64) -> f64 {
    let b = &b[..a.len()];
    let ((many, few), (others, rest)) = (a.as_chunks::<8>(), b.as_chunks::<8>());
    let mut sums = [0.0; 8];
    for (x, y) in many.iter().zip(others) {
        for lane in 0..8 {
            sums[lane] += x[lane] * f(y[lane]);
        }
    }
    let last: f64 = few.iter().zip(rest).map(|(x, &y)| x * f(y)).sum();
    // The first four sums are added to the last four. In other orders, the compiler would shuffle vectors in
    // the loop.
    let [a, b, c, d]: [f64; 4] = std::array::from_fn(|lane| sums[lane] + sums[lane + 4]);
    (a + c) + (b + d) + last
}

#[inline(always)]
pub(crate) fn add_scaled(a: &[f64], factor: f64, sums: &mut [f64]) {
    for (sum, x) in sums.iter_mut().zip(a) {
        *sum += factor * x;
    }
}

#[inline(always)]
pub(crate) fn add_four_scaled(lists: [&[f64]; 4], factors: [f64; 4], sums: &mut [f64]) {
    let [a, b, c, d] = lists.map(|list| &list[..sums.len()]);
    let [e, f, g, h] = factors;
    for ((((sum, a), b), c), d) in sums.iter_mut().zip(a).zip(b).zip(c).zip(d) {
        *sum += (e * a + f * b) + (g * c + h * d);
    }
}
