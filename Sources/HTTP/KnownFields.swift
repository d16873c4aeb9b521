/// A cache of the parsed fields of a connection's last request.
///
/// Most clients send the same fields with each request, which then need not be parsed again. The
/// result of parsing depends on the bytes only.
struct KnownFields: Sendable {
  /// The maximum length of cached fields, which limits the memory of an idle connection.
  private static let maxBytes = 1_024

  /// All lines, with the empty one at the end; empty if nothing is cached.
  private var text: [UInt8] = []
  /// The offset of the lines in the bytes they were parsed from, and in their head.
  private var start = 0
  private var startInHead = 0
  private var entries: [Fields.Entry] = []
  private var notes = FramingFields()
  /// The entry that the next line is compared with first, if not all lines are the same.
  private var nextEntry = 0

  /// The length of the cached lines in bytes, with the empty line at the end.
  var count: Int { text.count }

  /// Replaces the cached fields, or clears the cache if the new ones are too long.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that contain the fields.
  ///   - range: The range of the fields, with the empty line.
  ///   - headStart: The offset of their head.
  ///   - entries: The position of each field in the head.
  ///   - notes: The values found in the fields.
  mutating func keep(
    _ bytes: [UInt8],
    _ range: Range<Int>,
    ofHeadAt headStart: Int,
    _ entries: [Fields.Entry],
    _ notes: FramingFields
  ) {
    text.removeAll(keepingCapacity: true)
    self.entries = []
    guard range.count <= Self.maxBytes else { return }
    text.append(contentsOf: bytes[range])
    start = range.lowerBound
    startInHead = range.lowerBound - headStart
    self.entries = entries
    self.notes = notes
  }

  /// Returns true if the bytes at an offset are exactly the cached lines.
  ///
  /// Mutating to avoid a copy of the owner's state.
  mutating func areNext(in bytes: Span<UInt8>, at start: Int) -> Bool {
    let count = text.count
    guard count > 0, count <= bytes.count - start else { return false }
    return TextScan.areSame(bytes.extracting(start..<start + count), text.span)
  }

  /// Starts comparing line by line.
  mutating func beginLines() { nextEntry = 0 }

  /// Records that a line was not cached, mostly because a field has another value.
  mutating func passLine() { nextEntry += 1 }

  /// The offsets from the expected entry at which a line is looked for.
  private static let steps: InlineArray<3, Int> = [0, 1, -1]

  /// Looks up the next line, at the expected entry and the entries before and after it.
  ///
  /// Lines may be added or removed between requests.
  ///
  /// - Parameters:
  ///   - bytes: The bytes that contain the line.
  ///   - start: The offset of the line.
  ///   - headStart: The offset of its head.
  /// - Returns: The position of the field in its head and the length of the line with its end; nil
  ///   if the line is not cached.
  mutating func parseLine(
    in bytes: Span<UInt8>,
    at start: Int,
    ofHeadAt headStart: Int
  ) -> (entry: Fields.Entry, count: Int)? {
    for step in Self.steps.indices {
      let place = nextEntry + Self.steps[step]
      guard 0 <= place, place < entries.count else { continue }
      let line = line(of: place)
      guard line.count <= bytes.count - start,
        TextScan.areSame(bytes.extracting(start..<start + line.count), text.span.extracting(line))
      else { continue }
      nextEntry = place + 1
      let shift = Int32(start - headStart) - entries[place].name.lowerBound
      return (entries[place].moved(by: shift), line.count)
    }
    return nil
  }

  /// Returns the range of a field's line in the text, with its end.
  private func line(of place: Int) -> Range<Int> {
    let start = Int(entries[place].name.lowerBound) - startInHead
    // The last line is followed by the empty line.
    let end =
      place + 1 < entries.count
      ? Int(entries[place + 1].name.lowerBound) - startInHead : text.count - 2
    return start..<end
  }

  /// Returns the parsed fields for the same lines at another offset, in a head at `headStart`.
  func moved(to start: Int, inHeadAt headStart: Int) -> ([Fields.Entry], FramingFields) {
    let shift = Int32(start - headStart - startInHead)
    let moved = shift == 0 ? entries : entries.map { $0.moved(by: shift) }
    return (moved, notes.moved(by: start - self.start))
  }
}

extension Fields.Entry {
  fileprivate func moved(by shift: Int32) -> Self {
    Self(
      name: name.lowerBound + shift..<name.upperBound + shift,
      value: value.lowerBound + shift..<value.upperBound + shift
    )
  }
}
