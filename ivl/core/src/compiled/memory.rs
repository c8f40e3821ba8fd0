//! Arrays of words that are written in place: pages of cells, allocated where something other than the default is written.

use crate::bv::Bv;
use crate::value::ArrayValue;
use rustc_hash::FxHashMap;

/// Cells of a page.
const CELLS: u64 = 64;
/// Pages that are found by their number; the others by a hash.
const LOW: u64 = 1 << 14;

/// An array with at most 64 bits of index and of element.
#[derive(Clone, Default)]
pub struct Memory {
    default: u64,
    /// Where the page of a number is, plus one; zero where there is none.
    low: Vec<u32>,
    high: FxHashMap<u64, u32>,
    pages: Vec<[u64; CELLS as usize]>,
}

impl Memory {
    /// Holds `default` everywhere.
    pub fn clear(&mut self, default: u64) {
        self.default = default;
        self.low.clear();
        self.high.clear();
        self.pages.clear();
    }

    /// Bytes of its pages.
    pub fn bytes(&self) -> usize {
        self.pages.len() * size_of::<[u64; CELLS as usize]>()
    }

    fn page(&self, number: u64) -> Option<usize> {
        let at = match self.low.get(number as usize) {
            Some(&at) => at,
            None => *self.high.get(&number)?,
        };
        (at as usize).checked_sub(1)
    }

    /// The element at `index`.
    #[inline]
    pub fn select(&self, index: u64) -> u64 {
        match self.page(index / CELLS) {
            Some(page) => self.pages[page][(index % CELLS) as usize],
            None => self.default,
        }
    }

    /// Writes `elem` at `index`.
    #[inline]
    pub fn store(&mut self, index: u64, elem: u64) {
        let page = match self.page(index / CELLS) {
            Some(page) => page,
            None if elem == self.default => return,
            None => self.allocate(index / CELLS),
        };
        self.pages[page][(index % CELLS) as usize] = elem;
    }

    #[cold]
    fn allocate(&mut self, number: u64) -> usize {
        self.pages.push([self.default; CELLS as usize]);
        let at = self.pages.len() as u32;
        if number < LOW {
            let number = number as usize;
            if self.low.len() <= number {
                self.low.resize(number + 1, 0);
            }
            self.low[number] = at;
        } else {
            self.high.insert(number, at);
        }
        at as usize - 1
    }

    /// The cells of all pages, by index.
    fn cells(&self, index_width: u32) -> impl Iterator<Item = (u64, u64)> + '_ {
        let low = (0u64..).zip(self.low.iter().copied());
        let high = self.high.iter().map(|(&number, &at)| (number, at));
        let mut pages: Vec<(u64, u32)> = low.chain(high).filter(|p| p.1 > 0).collect();
        pages.sort_unstable();
        let last = u64::MAX >> (64 - index_width);
        let cells = pages.into_iter().flat_map(|(number, at)| {
            let page = &self.pages[at as usize - 1];
            (0..CELLS).map(move |i| (number * CELLS + i, page[i as usize]))
        });
        cells.filter(move |&(i, _)| i <= last)
    }

    /// Whether both hold the same everywhere.
    pub fn equals(&self, other: &Memory, index_width: u32) -> bool {
        let within = |a: &Memory, b: &Memory| {
            let mut cells = a.cells(index_width);
            cells.all(|(i, elem)| b.select(i) == elem)
        };
        if !within(self, other) || !within(other, self) {
            return false;
        }
        // What neither has a page for holds the defaults.
        let has_rest = || {
            let mut seen = self.cells(index_width).map(|c| c.0).collect::<Vec<_>>();
            seen.extend(other.cells(index_width).map(|c| c.0));
            seen.sort_unstable();
            seen.dedup();
            seen.len() as u128 != 1 << index_width
        };
        self.default == other.default || !has_rest()
    }

    /// As a value.
    pub fn value(&self, index_width: u32, elem_width: u32) -> ArrayValue {
        let default = Bv::new(elem_width, self.default);
        let mut array = ArrayValue::constant(index_width, default);
        for (i, elem) in self.cells(index_width) {
            if elem != self.default {
                array = array.store(Bv::new(index_width, i), Bv::new(elem_width, elem));
            }
        }
        array
    }

    /// Takes over a value, whose widths are at most 64.
    pub fn set(&mut self, value: &ArrayValue) {
        let word = |v: &Bv| v.to_u64().unwrap_or(0);
        self.clear(word(value.default()));
        for (i, elem) in value.entries() {
            self.store(word(i), word(elem));
        }
    }
}
