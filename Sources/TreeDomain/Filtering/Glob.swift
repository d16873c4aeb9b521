/// A pattern for whole texts.
///
/// `*` matches any run, `?` one code point, `[a-z]` one code point of a set and `[!a-z]` one
/// outside it. `\` takes the next code point literally.
///
/// A `[` without `]` is literal, and so is a `\` at the end. A `]` directly after the opening is
/// part of the set.
struct Glob: Equatable, Sendable {
  enum Part: Equatable {
    case literal(Unicode.Scalar)
    case anyOne
    case anyRun
    case set(GlobSet)

    /// The memory of the set in bytes; 0 for other parts.
    var setBytes: Int {
      if case .set(let set) = self { set.byteCount } else { 0 }
    }

    func matches(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .literal(let literal): literal == scalar
      case .anyOne, .anyRun: true
      case .set(let set): set.contains(scalar)
      }
    }
  }

  /// The product of text and pattern length from which on a search with tables is used.
  private static let mostComparisons = 65_536

  /// The memory of an array without its elements, in bytes.
  private static let arrayBytes = 48

  /// The parts between runs.
  ///
  /// The first and the last piece may be empty.
  private let pieces: [ArraySlice<Part>]
  /// The number of code points in the pattern.
  private let length: Int
  /// The memory of the parsed pattern in bytes.
  let byteCount: Int
  private let isCaseSensitive: Bool

  /// Parses a pattern.
  ///
  /// Every text is a valid pattern.
  init(_ pattern: [UInt8], isCaseSensitive: Bool) {
    let text = isCaseSensitive ? pattern : TextOrder.lowercased(pattern[...])
    let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    var parts: [Part] = []
    var i = 0
    var hasSets = true
    while i < scalars.count {
      let (part, end) = Glob.part(of: scalars, at: i, &hasSets)
      // Consecutive runs are merged.
      if part != .anyRun || parts.last != .anyRun { parts.append(part) }
      i = end
    }
    // Copies have no spare capacity.
    parts = parts.map(\.self)
    pieces = parts.split(separator: .anyRun, omittingEmptySubsequences: false).map(\.self)
    length = scalars.count
    byteCount = parts.reduce(
      parts.count * MemoryLayout<Part>.stride
        + pieces.count * MemoryLayout<ArraySlice<Part>>.stride + 2 * Self.arrayBytes
    ) { $0 + $1.setBytes }
    self.isCaseSensitive = isCaseSensitive
  }

  /// Parses the part that begins at `i`.
  ///
  /// If a `[` has no `]`, no later one has. `hasSets` is false then, so that all is read once.
  private static func part(
    of scalars: [Unicode.Scalar],
    at i: Int,
    _ hasSets: inout Bool
  ) -> (Part, end: Int) {
    switch scalars[i] {
    case "*": return (.anyRun, i + 1)
    case "?": return (.anyOne, i + 1)
    case "\\" where i + 1 < scalars.count: return (.literal(scalars[i + 1]), i + 2)
    case "[" where hasSets:
      if let (part, end) = set(of: scalars, at: i) { return (part, end) }
      hasSets = false
    default: break
    }
    return (.literal(scalars[i]), i + 1)
  }

  /// Parses the set whose `[` is at `start`; `nil` if it has no `]`.
  private static func set(of scalars: [Unicode.Scalar], at start: Int) -> (Part, end: Int)? {
    var i = start + 1
    let isNegated = i < scalars.count && scalars[i] == "!"
    if isNegated { i += 1 }
    let first = i
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while i < scalars.count {
      if scalars[i] == "]", i > first {
        return (.set(GlobSet(ranges, isNegated: isNegated)), i + 1)
      }
      let low = member(of: scalars, at: &i)
      var high = low
      if i + 1 < scalars.count, scalars[i] == "-", scalars[i + 1] != "]" {
        i += 1
        high = member(of: scalars, at: &i)
      }
      // A reversed range is empty.
      if low <= high { ranges.append(low...high) }
    }
    return nil
  }

  private static func member(of scalars: [Unicode.Scalar], at i: inout Int) -> Unicode.Scalar {
    if scalars[i] == "\\", i + 1 < scalars.count { i += 1 }
    defer { i += 1 }
    return scalars[i]
  }

  /// Tests a whole text.
  ///
  /// Each piece between two runs is matched at its first occurrence. A later occurrence would leave
  /// less text for the rest of the pattern, and so could not help.
  ///
  /// - Parameters:
  ///   - text: The text in UTF-8.
  ///   - count: Counts steps.
  /// - Returns: True if the text matches.
  /// - Throws: The errors of `count`.
  /// - Complexity: O(*n* *m* / 64) for a text of *n* and a pattern of *m* code points, if the text
  ///   has few different ones. See ``GlobSearch``.
  func matches(
    _ text: ArraySlice<UInt8>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Bool {
    let folded = isCaseSensitive ? text : try TextOrder.lowercased(text, counting: count)[...]
    var rest = Array(String(decoding: folded, as: UTF8.self).unicodeScalars)[...]
    guard pieces.count > 1 else {
      return rest.count == pieces[0].count && starts(rest, with: pieces[0])
    }
    let (first, last) = (pieces[0], pieces[pieces.count - 1])
    guard rest.count >= first.count + last.count, starts(rest, with: first),
      starts(rest.suffix(last.count), with: last)
    else { return false }
    rest = rest.dropFirst(first.count).dropLast(last.count)
    for piece in pieces[1..<(pieces.count - 1)] {
      guard let end = try firstEnd(of: piece, in: rest, counting: count) else { return false }
      rest = rest[end...]
    }
    return true
  }

  private func starts(
    _ text: ArraySlice<Unicode.Scalar>,
    with piece: ArraySlice<Part>
  ) -> Bool {
    text.count >= piece.count && zip(text, piece).allSatisfy { $1.matches($0) }
  }

  /// Returns the index after the first match of a piece, or `nil` if there is none.
  private func firstEnd(
    of piece: ArraySlice<Part>,
    in text: ArraySlice<Unicode.Scalar>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Int? {
    // A short search does not repay the tables.
    guard text.count * length <= Self.mostComparisons else {
      var search = GlobSearch(piece)
      return try search.firstEnd(in: text, counting: count)
    }
    try count(1 + text.count * piece.count / 64)
    return text.indices.first { starts(text[$0...], with: piece) }.map { $0 + piece.count }
  }
}
