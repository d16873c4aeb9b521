/// A set of JSON Pointers that are evaluated together, in one pass over a value.
public struct JSONPointerSet: Sendable {
  /// A pointer whose tokens so far name an open container, with its next token.
  private struct Branch {
    let pointer: Int
    let token: JSONPointer.Token
  }

  /// An array or object that is open.
  private struct Level {
    let start: Int
    let isObject: Bool
    /// The pointers that end at the container.
    let ends: [Int]
    /// The pointers that continue inside.
    let branches: [Branch]
    /// The index of the next element.
    var index = 0
  }

  private let pointers: [JSONPointer]

  /// Creates a set of pointers.
  ///
  /// Duplicates are allowed.
  public init(_ pointers: [JSONPointer]) { self.pointers = pointers }

  /// The number of pointers.
  public var count: Int { pointers.count }

  /// Finds the values that the pointers name.
  ///
  /// Among duplicate members the last one counts.
  ///
  /// - Parameter text: A valid JSON value; it is not checked.
  /// - Returns: The range of each named value in the slice, or `nil`, in the order of the pointers.
  /// - Complexity: O(length of the text), plus for each member name a comparison with at most as
  ///   many tokens as there are pointers.
  public func evaluate(in text: ArraySlice<UInt8>) -> [Range<Int>?] {
    var found = pointers.map { $0.first == nil ? text.indices : nil }
    let span = text.span
    var i = Scan.space(span, 0)
    var open: [Level] = []
    enter(
      pointers.indices.compactMap { branch($0, pointers[$0].first) },
      [],
      at: &i,
      in: span,
      &open
    )
    while let level = open.last {
      i = Scan.space(span, i)
      if span[i] == Ascii.comma { i = Scan.space(span, i &+ 1) }
      if span[i] == Ascii.closeBrace || span[i] == Ascii.closeBracket {
        i &+= 1
        open.removeLast()
        record(level.ends, level.start, i, text, &found)
        continue
      }
      let named = namedBranches(of: level, at: &i, in: text)
      open[open.count - 1].index += 1
      guard !named.isEmpty else {
        i = PlainScan.end(span, i)
        continue
      }
      // A duplicate member replaces the one before, with all that was found in it.
      for branch in named { found[branch.pointer] = nil }
      let inside = named.compactMap {
        branch($0.pointer, pointers[$0.pointer].token(after: $0.token))
      }
      let ends = named.filter { pointers[$0.pointer].token(after: $0.token) == nil }.map(\.pointer)
      if enter(inside, ends, at: &i, in: span, &open) { continue }
      let end = PlainScan.end(span, i)
      record(ends, i, end, text, &found)
      i = end
    }
    return found
  }

  private func branch(_ pointer: Int, _ token: JSONPointer.Token?) -> Branch? {
    token.map { Branch(pointer: pointer, token: $0) }
  }

  /// Enters the container at `i` if a pointer continues inside it.
  @discardableResult
  private func enter(
    _ branches: [Branch],
    _ ends: [Int],
    at i: inout Int,
    in text: Span<UInt8>,
    _ open: inout [Level]
  ) -> Bool {
    let isObject = text[i] == Ascii.openBrace
    guard !branches.isEmpty, isObject || text[i] == Ascii.openBracket else { return false }
    open.append(Level(start: i, isObject: isObject, ends: ends, branches: branches))
    i &+= 1
    return true
  }

  /// Advances to the value of the next member or element.
  ///
  /// - Returns: The branches whose token names it.
  private func namedBranches(
    of level: Level,
    at i: inout Int,
    in text: ArraySlice<UInt8>
  ) -> [Branch] {
    guard level.isObject else {
      return level.branches.filter { pointers[$0.pointer].index(of: $0.token) == level.index }
    }
    let span = text.span
    let start = i
    let end = PlainScan.string(span, start)
    i = Scan.space(span, Scan.space(span, end) &+ 1)
    return level.branches.filter { branch in
      let name = pointers[branch.pointer].name(of: branch.token)
      return PlainScan.isString(text.span, start, end, name, text)
    }
  }

  private func record(
    _ ends: [Int],
    _ start: Int,
    _ end: Int,
    _ text: ArraySlice<UInt8>,
    _ found: inout [Range<Int>?]
  ) {
    for pointer in ends {
      found[pointer] = (text.startIndex &+ start)..<(text.startIndex &+ end)
    }
  }
}
