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
