/// The fields of a connection's last request, with what was found out about them: most clients send
/// the same ones with each request, and they need not be taken apart again then.
///
/// What is found depends on their bytes alone.
struct KnownFields: Sendable {
  /// More are not kept, so that a connection that does nothing holds little.
  private static let maxBytes = 1_024

  /// All lines, the empty one at the end included; empty where none are known.
  private var text: [UInt8] = []
  /// Where they began in the bytes they were parsed from, and in their head.
  private var start = 0
  private var startInHead = 0
  private var entries: [Fields.Entry] = []
  private var notes = FieldNotes()
  /// Which of them is likely to be the next, where some differ.
  private var nextEntry = 0

  /// How many bytes they are, the empty line at the end included.
  var count: Int { text.count }

  /// Keeps fields instead of those that were known, unless they are too long.
  ///
  /// - Parameters:
  ///   - bytes: Hold them.
  ///   - range: Where they are there, the empty line included.
  ///   - headStart: Where their head is.
  ///   - entries: Where each of them is in the head.
  ///   - notes: What they say.
  mutating func keep(
    _ bytes: [UInt8],
    _ range: Range<Int>,
    ofHeadAt headStart: Int,
    _ entries: [Fields.Entry],
    _ notes: FieldNotes
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

  /// Whether they come again at an offset, and all of them are there.
  ///
  /// Nothing changes; but who holds it to change it can be asked without a copy.
  mutating func areNext(in bytes: Span<UInt8>, at start: Int) -> Bool {
    let count = text.count
    guard count > 0, count <= bytes.count - start else { return false }
    return TextScan.areSame(bytes.extracting(start..<start + count), text.span)
  }

  /// Begins with fields of which not all are known.
  mutating func beginLines() { nextEntry = 0 }

  /// A line was none that is known: mostly a field that has another value.
  mutating func passLine() { nextEntry += 1 }

  /// Where to look for a line, from the one that is likely.
  private static let steps: InlineArray<3, Int> = [0, 1, -1]

  /// Takes a line that comes again, all of it there: the one that is likely, or one beside that, as
  /// lines come and go between requests.
  ///
  /// - Parameters:
  ///   - bytes: Hold it.
  ///   - start: Where it is there.
  ///   - headStart: Where its head is.
  /// - Returns: Where the field is in its head, and how long the line is with its end; nil where
  ///   nothing is known of it.
  mutating func takeLine(
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

  /// Where the line of a field is in the text, with its end.
  private func line(of place: Int) -> Range<Int> {
    let start = Int(entries[place].name.lowerBound) - startInHead
    // Behind the last one is the empty line.
    let end =
      place + 1 < entries.count
      ? Int(entries[place + 1].name.lowerBound) - startInHead : text.count - 2
    return start..<end
  }

  /// What was found out, for the same fields at another offset, in a head at another one.
  func moved(to start: Int, inHeadAt headStart: Int) -> ([Fields.Entry], FieldNotes) {
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
