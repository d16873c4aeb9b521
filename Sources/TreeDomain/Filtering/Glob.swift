/// A pattern for whole texts: `*` stands for any run, `?` for one code point, `[a-z]` for one of a
/// set, `[!a-z]` for one outside it, and `\` makes what follows stand for itself.
///
/// A `[` that is never closed stands for itself, as does a `\` at the end. A `]` directly behind
/// the opening is one of the set.
struct Glob: Equatable, Sendable {
  private enum Part: Equatable {
    case literal(Unicode.Scalar)
    case anyOne
    case anyRun
    case set([ClosedRange<Unicode.Scalar>], isNegated: Bool)

    func matches(_ scalar: Unicode.Scalar) -> Bool {
      switch self {
      case .literal(let literal): literal == scalar
      case .anyOne, .anyRun: true
      case .set(let ranges, let isNegated):
        ranges.contains { $0.contains(scalar) } != isNegated
      }
    }
  }

  private let parts: [Part]
  private let isCaseSensitive: Bool

  /// Reads a pattern; there is none that cannot be read.
  init(_ pattern: [UInt8], isCaseSensitive: Bool) {
    let text = isCaseSensitive ? pattern : TextOrder.lowercased(pattern)
    let scalars = Array(String(decoding: text, as: UTF8.self).unicodeScalars)
    var parts: [Part] = []
    var i = 0
    while i < scalars.count {
      let (part, end) = Glob.part(of: scalars, at: i)
      // Neighbouring runs are one, which keeps the matching linear in them.
      if part != .anyRun || parts.last != .anyRun { parts.append(part) }
      i = end
    }
    self.parts = parts
    self.isCaseSensitive = isCaseSensitive
  }

  private static func part(of scalars: [Unicode.Scalar], at i: Int) -> (Part, end: Int) {
    switch scalars[i] {
    case "*": (.anyRun, i + 1)
    case "?": (.anyOne, i + 1)
    case "\\" where i + 1 < scalars.count: (.literal(scalars[i + 1]), i + 2)
    case "[": set(of: scalars, at: i) ?? (.literal("["), i + 1)
    default: (.literal(scalars[i]), i + 1)
    }
  }

  /// The set whose `[` stands at `start`; `nil` when it is never closed.
  private static func set(of scalars: [Unicode.Scalar], at start: Int) -> (Part, end: Int)? {
    var i = start + 1
    let isNegated = i < scalars.count && scalars[i] == "!"
    if isNegated { i += 1 }
    let first = i
    var ranges: [ClosedRange<Unicode.Scalar>] = []
    while i < scalars.count {
      if scalars[i] == "]", i > first { return (.set(ranges, isNegated: isNegated), i + 1) }
      let low = member(of: scalars, at: &i)
      var high = low
      if i + 1 < scalars.count, scalars[i] == "-", scalars[i + 1] != "]" {
        i += 1
        high = member(of: scalars, at: &i)
      }
      // A range the wrong way round holds nothing.
      if low <= high { ranges.append(low...high) }
    }
    return nil
  }

  private static func member(of scalars: [Unicode.Scalar], at i: inout Int) -> Unicode.Scalar {
    if scalars[i] == "\\", i + 1 < scalars.count { i += 1 }
    defer { i += 1 }
    return scalars[i]
  }

  /// Whether the whole of a text matches.
  ///
  /// Only the last run that was met is ever lengthened: what an earlier one could take more, the
  /// last one can, too.
  ///
  /// - Complexity: O(length of the text times that of the pattern).
  func matches(_ text: ArraySlice<UInt8>) -> Bool {
    let folded = isCaseSensitive ? Array(text) : TextOrder.lowercased(Array(text))
    let scalars = Array(String(decoding: folded, as: UTF8.self).unicodeScalars)
    var (i, part) = (0, 0)
    var run: (part: Int, end: Int)?
    while i < scalars.count {
      if part < parts.count, parts[part] == .anyRun {
        run = (part, i)
        part += 1
      } else if part < parts.count, parts[part].matches(scalars[i]) {
        (i, part) = (i + 1, part + 1)
      } else if let last = run {
        run = (last.part, last.end + 1)
        (i, part) = (last.end + 1, last.part + 1)
      } else {
        return false
      }
    }
    return parts[part...].allSatisfy { $0 == .anyRun }
  }
}
