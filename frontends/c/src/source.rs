//! Source buffers and positions.
//!
//! Every token position is one `u32` offset into the concatenation of all buffers. The map turns it
//! back into (file, line, column) of the user's own file, following the line markers that the
//! preprocessor left (`# 12 "file.c" 3 4`, `#line 12 "file.c"`).

use std::collections::BTreeMap;
use std::fmt;

/// A half-open range of positions.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default, PartialOrd, Ord)]
pub struct Span {
    /// First byte.
    pub lo: u32,
    /// One past the last byte.
    pub hi: u32,
}

impl Span {
    /// The range `lo..hi`.
    pub fn new(lo: u32, hi: u32) -> Self {
        Span { lo, hi }
    }

    /// The smallest range that covers both.
    pub fn to(self, other: Span) -> Self {
        Span {
            lo: self.lo.min(other.lo),
            hi: self.hi.max(other.hi),
        }
    }
}

impl fmt::Debug for Span {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}..{}", self.lo, self.hi)
    }
}

/// A position as the user knows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Place {
    /// The file as the line markers name it.
    pub file: String,
    /// Line, from 1.
    pub line: u32,
    /// Column in bytes, from 1.
    pub column: u32,
}

impl fmt::Display for Place {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// From `offset` on, lines are counted from `line` in `file`.
#[derive(Clone, Copy, Debug)]
struct LineMark {
    offset: u32,
    line: u32,
    file: u32,
    system: bool,
}

/// `#pragma pack` in force from `offset` on.
#[derive(Clone, Copy, Debug)]
struct PackMark {
    offset: u32,
    limit: Option<u8>,
}

/// A token of preprocessed text that comes from another place than its row says.
#[derive(Clone, Copy, Debug)]
pub struct Moved {
    /// Where it is in the buffer.
    pub offset: u32,
    /// Its line in the file that its row belongs to.
    pub line: u32,
    /// Its column there.
    pub column: u32,
}

#[derive(Debug)]
struct Buffer {
    base: u32,
    text: Vec<u8>,
    line_starts: Vec<u32>,
    marks: Vec<LineMark>,
    packs: Vec<PackMark>,
    /// By offset; whole rows or nothing of them.
    moved: Vec<Moved>,
    /// The own text of lines with moved tokens, by file and line.
    lines: BTreeMap<(u32, u32), String>,
}

impl Buffer {
    /// The number of the row at an offset, from 0.
    fn row(&self, offset: u32) -> usize {
        self.line_starts.partition_point(|s| *s <= offset) - 1
    }

    fn row_text(&self, row: usize) -> &[u8] {
        let start = self.line_starts[row] as usize;
        let end = self.line_starts.get(row + 1);
        &self.text[start..end.map_or(self.text.len(), |e| *e as usize)]
    }

    fn mark(&self, offset: u32) -> LineMark {
        let at = self.marks.partition_point(|m| m.offset <= offset);
        self.marks[at.max(1) - 1]
    }

    /// The token at or before an offset in the same row, if it was moved.
    fn moved(&self, offset: u32) -> Option<Moved> {
        let at = self.moved.partition_point(|m| m.offset <= offset);
        let moved = self.moved[at.checked_sub(1)?];
        (moved.offset >= self.line_starts[self.row(offset)]).then_some(moved)
    }
}

/// All buffers of one program.
#[derive(Debug, Default)]
pub struct SourceMap {
    buffers: Vec<Buffer>,
    files: Vec<String>,
    file_ids: BTreeMap<String, u32>,
}

/// One buffer of a [`SourceMap`].
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BufferId(usize);

impl SourceMap {
    /// An empty map.
    pub fn new() -> Self {
        Self::default()
    }

    /// Adds the text of one translation unit. `None` when positions no longer fit in 32 bits.
    pub fn add(&mut self, name: &str, text: Vec<u8>) -> Option<BufferId> {
        let base = self.buffers.last().map_or(Some(0), |b| {
            b.base
                .checked_add(u32::try_from(b.text.len()).ok()?)?
                .checked_add(1)
        })?;
        base.checked_add(u32::try_from(text.len()).ok()?)?
            .checked_add(1)?;
        let mut line_starts = vec![0];
        line_starts.extend(
            text.iter()
                .enumerate()
                .filter(|(_, c)| **c == b'\n')
                .map(|(i, _)| i as u32 + 1),
        );
        let file = self.file_id(name);
        let marks = vec![LineMark {
            offset: 0,
            line: 1,
            file,
            system: false,
        }];
        self.buffers.push(Buffer {
            base,
            text,
            line_starts,
            marks,
            packs: Vec::new(),
            moved: Vec::new(),
            lines: BTreeMap::new(),
        });
        Some(BufferId(self.buffers.len() - 1))
    }

    /// The bytes of a buffer.
    pub fn text(&self, buffer: BufferId) -> &[u8] {
        &self.buffers[buffer.0].text
    }

    /// The position of a buffer's first byte.
    pub fn base(&self, buffer: BufferId) -> u32 {
        self.buffers[buffer.0].base
    }

    fn file_id(&mut self, name: &str) -> u32 {
        if let Some(&at) = self.file_ids.get(name) {
            return at;
        }
        let at = self.files.len() as u32;
        self.files.push(name.to_owned());
        self.file_ids.insert(name.to_owned(), at);
        at
    }

    /// Says that the text after `offset` (buffer relative, start of a line) is line `line` of `file`.
    pub fn mark_line(
        &mut self,
        buffer: BufferId,
        offset: u32,
        line: u32,
        file: Option<&str>,
        system: bool,
    ) {
        let last = *self.buffers[buffer.0]
            .marks
            .last()
            .expect("the first mark is made with the buffer");
        let file = file.map_or(last.file, |f| self.file_id(f));
        self.buffers[buffer.0].marks.push(LineMark {
            offset,
            line,
            file,
            system,
        });
    }

    /// Says that `#pragma pack` limits alignment to `limit` from `offset` (buffer relative) on.
    pub fn mark_pack(&mut self, buffer: BufferId, offset: u32, limit: Option<u8>) {
        self.buffers[buffer.0]
            .packs
            .push(PackMark { offset, limit });
    }

    /// The alignment limit of `#pragma pack` at a position.
    pub fn pack_at(&self, pos: u32) -> Option<u8> {
        let b = self.buffer_of(pos)?;
        let at = b.packs.partition_point(|p| p.offset <= pos - b.base);
        at.checked_sub(1).and_then(|i| b.packs[i].limit)
    }

    /// The files of a buffer that are not the system's.
    pub(crate) fn user_files(&self, buffer: BufferId) -> BTreeMap<u32, String> {
        let marks = self.buffers[buffer.0].marks.iter();
        let own = marks.filter(|m| !m.system).map(|m| m.file);
        own.map(|f| (f, self.files[f as usize].clone())).collect()
    }

    /// The rows of a buffer: offset, text, file and line.
    pub(crate) fn rows(&self, buffer: BufferId) -> impl Iterator<Item = (u32, &[u8], u32, u32)> {
        let b = &self.buffers[buffer.0];
        (0..b.line_starts.len()).map(|row| {
            let offset = b.line_starts[row];
            let mark = b.mark(offset);
            let line = mark.line.saturating_add((row - b.row(mark.offset)) as u32);
            (offset, b.row_text(row), mark.file, line)
        })
    }

    /// Adds what the user's files of a buffer say, by name and line: their own text where that was read, else
    /// the rows that claim to be theirs.
    pub(crate) fn user_lines(
        &self,
        buffer: BufferId,
        read: &BTreeMap<String, Vec<u8>>,
        lines: &mut BTreeMap<String, BTreeMap<u32, String>>,
    ) {
        let own = self.user_files(buffer);
        for name in own.values() {
            if let Some(text) = read.get(name) {
                let rows = || (1..).zip(text.split(|c| *c == b'\n').map(shown));
                lines
                    .entry(name.clone())
                    .or_insert_with(|| rows().collect());
            }
        }
        for (_, row, file, line) in self.rows(buffer) {
            let is_marker = row.trim_ascii_start().starts_with(b"#");
            if let Some(name) = own.get(&file)
                && !read.contains_key(name)
                && !is_marker
                && !row.trim_ascii().is_empty()
            {
                let of_file = lines.entry(name.clone()).or_default();
                of_file.entry(line).or_insert_with(|| shown(row));
            }
        }
    }

    /// Says where tokens of a buffer come from, and what the lines say that they come from.
    pub(crate) fn move_tokens(
        &mut self,
        buffer: BufferId,
        moved: Vec<Moved>,
        lines: BTreeMap<(u32, u32), String>,
    ) {
        let buffer = &mut self.buffers[buffer.0];
        (buffer.moved, buffer.lines) = (moved, lines);
    }

    fn buffer_of(&self, pos: u32) -> Option<&Buffer> {
        let at = self.buffers.partition_point(|b| b.base <= pos);
        at.checked_sub(1).map(|i| &self.buffers[i])
    }

    /// Whether the position is in a header that the preprocessor took from the system.
    pub fn in_system_header(&self, pos: u32) -> bool {
        self.mark_of(pos).is_some_and(|(_, m)| m.system)
    }

    fn mark_of(&self, pos: u32) -> Option<(&Buffer, LineMark)> {
        let b = self.buffer_of(pos)?;
        Some((b, b.mark(pos - b.base)))
    }

    /// The file name at a position, as the line markers give it.
    pub fn file(&self, pos: u32) -> &str {
        self.mark_of(pos)
            .map_or("<unknown>", |(_, m)| &self.files[m.file as usize])
    }

    /// File, line and column of a position.
    pub fn place(&self, pos: u32) -> Place {
        let Some((b, mark)) = self.mark_of(pos) else {
            return Place {
                file: "<unknown>".into(),
                line: 0,
                column: 0,
            };
        };
        let offset = (pos - b.base).min(b.text.len() as u32);
        let row = b.row(offset);
        let (line, column) = match b.moved(offset) {
            Some(moved) => (moved.line, moved.column),
            None => (
                mark.line.saturating_add((row - b.row(mark.offset)) as u32),
                offset - b.line_starts[row] + 1,
            ),
        };
        Place {
            file: self.files[mark.file as usize].clone(),
            line,
            column,
        }
    }

    /// The text of the line that holds a position.
    pub fn line_text(&self, pos: u32) -> String {
        let Some((b, mark)) = self.mark_of(pos) else {
            return String::new();
        };
        let offset = (pos - b.base).min(b.text.len() as u32);
        let own = b
            .moved(offset)
            .and_then(|m| b.lines.get(&(mark.file, m.line)));
        match own {
            Some(line) => line.trim_end().to_owned(),
            None => String::from_utf8_lossy(b.row_text(b.row(offset)))
                .trim_end()
                .to_owned(),
        }
    }

    /// The text of a span.
    pub fn span_text(&self, span: Span) -> String {
        let Some(b) = self.buffer_of(span.lo) else {
            return String::new();
        };
        let cut = |p: u32| (p.saturating_sub(b.base) as usize).min(b.text.len());
        String::from_utf8_lossy(&b.text[cut(span.lo)..cut(span.hi)]).into_owned()
    }
}

/// A line as text, without its end.
fn shown(row: &[u8]) -> String {
    String::from_utf8_lossy(row.trim_ascii_end()).into_owned()
}
