//! Sets of small integers as bit masks, stored in 32-bit words.

pub(crate) fn n_mask_words(n: u32) -> usize {
    n.div_ceil(u32::BITS) as usize
}

pub(crate) fn bit_mask(members: impl IntoIterator<Item = u32>, n: u32) -> Vec<u32> {
    let mut words = vec![0; n_mask_words(n)];
    for member in members {
        words[(member / u32::BITS) as usize] |= 1 << (member % u32::BITS);
    }
    words
}

/// Returns a set of levels as trees store it: the number of levels `n`, then a bit mask.
pub(crate) fn encode_set_for_storage(members: impl IntoIterator<Item = u32>, n: u32) -> Vec<u32> {
    [vec![n], bit_mask(members, n)].concat()
}

pub(crate) fn complement(set: &mut [u32], n: u32) {
    for (word, place) in set.iter_mut().zip(0..) {
        let inside = n - place * u32::BITS;
        *word = !*word & if inside < u32::BITS { (1 << inside) - 1 } else { u32::MAX };
    }
}

/// Returns whether a set contains a member; integers beyond the bit mask are not contained.
#[inline]
pub(crate) fn contains(set: &[u32], member: u32) -> bool {
    set.get((member / u32::BITS) as usize).is_some_and(|word| word >> (member % u32::BITS) & 1 == 1)
}

pub(crate) fn is_nonempty_subset(set: &[u32], n: u32) -> bool {
    let beyond = |word: u32, place: usize| {
        let inside = n.saturating_sub(place as u32 * u32::BITS);
        inside < u32::BITS && word >> inside != 0
    };
    set.iter().any(|&word| word != 0) && !set.iter().enumerate().any(|(place, &word)| beyond(word, place))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn members_are_held_and_others_not() {
        let set = bit_mask([0, 31, 32, 69], 70);
        assert_eq!(set.len(), n_mask_words(70));
        let found: Vec<u32> = (0..200).filter(|&member| contains(&set, member)).collect();
        assert_eq!(found, [0, 31, 32, 69]);
        let mut others = set.clone();
        complement(&mut others, 70);
        assert!((0..70).all(|number| contains(&set, number) != contains(&others, number)));
        assert!(
            is_nonempty_subset(&others, 70)
                && is_nonempty_subset(&set, 70)
                && !is_nonempty_subset(&set, 69)
                && !is_nonempty_subset(&[0, 0, 0], 70)
        );
        assert!(is_nonempty_subset(&[u32::MAX], 32) && !is_nonempty_subset(&[u32::MAX], 31));
    }
}
