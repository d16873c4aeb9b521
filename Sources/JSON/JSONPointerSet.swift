/// A set of JSON Pointers that are evaluated together, in one pass over a value.
///
/// The pointers form a trie, because their first tokens are often the same.
public struct JSONPointerSet: Sendable {
  /// A node of the trie: a token and its child nodes.
  private struct Step: Sendable {
    let token: JSONPointer.Token?
    /// The pointers that end here.
    var ends: [Int] = []
    /// The pointers that end here or at a descendant.
    var passing: [Int] = []
    var next: [Int] = []
  }

  /// An array or object that is open.
  private struct Level {
    let step: Int
    let start: Int
    let isObject: Bool
    /// The index of the next element.
    var index = 0
  }

  /// The number of pointers.
  public private(set) var count = 0
  private var steps = [Step(token: nil)]

  /// Creates a set of pointers.
  ///
  /// Duplicates are allowed.
  ///
  /// - Complexity: O(tokens · pointers).
  public init(_ pointers: [JSONPointer]) {
    for pointer in pointers {
      var step = 0
      for token in pointer.tokens {
        step = self.step(for: token, behind: step)
        steps[step].passing.append(count)
      }
      steps[step].ends.append(count)
      count += 1
    }
  }

  private mutating func step(for token: JSONPointer.Token, behind step: Int) -> Int {
    if let known = steps[step].next.first(where: { steps[$0].token == token }) { return known }
    steps.append(Step(token: token))
    steps[step].next.append(steps.count - 1)
    return steps.count - 1
  }

  /// Finds the values that the pointers name.
  ///
  /// Among duplicate members the last one counts.
  ///
  /// - Parameter text: A valid JSON value; it is not checked.
  /// - Returns: The range of each named value in the slice, or `nil`, in the order of the pointers.
  /// - Complexity: O(length of the text), plus for each member name a comparison with at most as
  ///   many tokens as there are pointers.
  public func evaluate(in text: ArraySlice<UInt8>) -> [Range<Int>?] {
    var found = [Range<Int>?](repeating: nil, count: count)
    for pointer in steps[0].ends { found[pointer] = text.indices }
    let span = text.span
    var i = Scan.space(span, 0)
    var open: [Level] = []
    enter(0, at: &i, in: span, &open)
    while let level = open.last {
      i = Scan.space(span, i)
      if span[i] == Ascii.comma { i = Scan.space(span, i &+ 1) }
      if span[i] == Ascii.closeBrace || span[i] == Ascii.closeBracket {
        i &+= 1
        open.removeLast()
        // The range of the root is set before the loop.
        if level.step > 0 { record(level.step, text.startIndex &+ level.start, i, text, &found) }
        continue
      }
      let step = nextStep(of: level, at: &i, in: text)
      open[open.count - 1].index += 1
      guard let step else {
        i = PlainScan.end(span, i)
        continue
      }
      for pointer in steps[step].passing { found[pointer] = nil }
      if enter(step, at: &i, in: span, &open) { continue }
      let end = PlainScan.end(span, i)
      record(step, text.startIndex &+ i, end, text, &found)
      i = end
    }
    return found
  }

  /// Enters the container at `i` if a pointer continues inside it.
  @discardableResult
  private func enter(
    _ step: Int,
    at i: inout Int,
    in text: Span<UInt8>,
    _ open: inout [Level]
  ) -> Bool {
    let isObject = text[i] == Ascii.openBrace
    guard !steps[step].next.isEmpty, isObject || text[i] == Ascii.openBracket else { return false }
    open.append(Level(step: step, start: i, isObject: isObject))
    i &+= 1
    return true
  }

  /// Advances to the value of the next member or element.
  ///
  /// - Returns: The child step whose token names it, or `nil`.
  private func nextStep(of level: Level, at i: inout Int, in text: ArraySlice<UInt8>) -> Int? {
    guard level.isObject else {
      return steps[level.step].next.first { steps[$0].token?.index == level.index }
    }
    let span = text.span
    let start = i
    let end = PlainScan.string(span, start)
    i = Scan.space(span, Scan.space(span, end) &+ 1)
    return steps[level.step].next.first { step in
      guard let name = steps[step].token?.name else { return false }
      return PlainScan.isString(text.span, start, end, name, text)
    }
  }

  private func record(
    _ step: Int,
    _ start: Int,
    _ end: Int,
    _ text: ArraySlice<UInt8>,
    _ found: inout [Range<Int>?]
  ) {
    for pointer in steps[step].ends { found[pointer] = start..<(text.startIndex &+ end) }
  }
}
