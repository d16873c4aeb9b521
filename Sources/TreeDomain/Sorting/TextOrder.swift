/// The orders of strings, on their UTF-8, in which code points and bytes sort alike.
///
/// Where case does not matter, strings are given as ``lowercased(_:)`` has them.
enum TextOrder {
  /// Orders strings by their first seven bytes: the lesser comes first, equal ones are to be
  /// compared.
  static func rank(_ text: [UInt8], _ comparison: SortDescriptor.Comparison) -> UInt64 {
    var rank: UInt64 = 0
    var isOpen = true
    for place in 0..<7 {
      var byte: UInt8 = isOpen && place < text.count ? text[place] : 0
      if comparison == .natural, isDigit(byte) {
        // What the first digit counts is not known before the last one.
        byte = UInt8(ascii: "0")
        isOpen = false
      }
      rank = rank << 8 | UInt64(byte)
    }
    return rank
  }

  /// -1, 0 or 1.
  static func compare(
    _ left: [UInt8],
    _ right: [UInt8],
    _ comparison: SortDescriptor.Comparison
  ) -> Int {
    switch comparison {
    case .auto, .text, .number, .caseInsensitive: byCodePoints(left, right)
    case .natural: naturally(left, right)
    }
  }

  private static func byCodePoints(_ left: [UInt8], _ right: [UInt8]) -> Int {
    let count = min(left.count, right.count)
    for i in 0..<count where left[i] != right[i] {
      return left[i] < right[i] ? -1 : 1
    }
    return (left.count - right.count).signum()
  }

  /// Each scalar mapped to lower case, whatever the language.
  static func lowercased(_ utf8: [UInt8]) -> [UInt8] {
    guard utf8.contains(where: { $0 >= 0x80 }) else {
      return utf8.map { 0x41...0x5A ~= $0 ? $0 | 0x20 : $0 }
    }
    var mapped: [UInt8] = []
    mapped.reserveCapacity(utf8.count)
    for scalar in String(decoding: utf8, as: UTF8.self).unicodeScalars {
      mapped.append(contentsOf: scalar.properties.lowercaseMapping.utf8)
    }
    return mapped
  }

  /// Runs of digits by their number, of any length, everything else by code points.
  ///
  /// Strings that differ in leading zeros alone are told apart by them: fewer come first.
  private static func naturally(_ left: [UInt8], _ right: [UInt8]) -> Int {
    var (i, j) = (0, 0)
    var tie = 0
    while i < left.count, j < right.count {
      guard isDigit(left[i]), isDigit(right[j]) else {
        if left[i] != right[j] { return left[i] < right[j] ? -1 : 1 }
        (i, j) = (i + 1, j + 1)
        continue
      }
      let (a, b) = (digitRun(left, i), digitRun(right, j))
      let order = compareRuns(left[a.significant..<a.end], right[b.significant..<b.end])
      guard order == 0 else { return order }
      if tie == 0 { tie = ((a.significant - i) - (b.significant - j)).signum() }
      (i, j) = (a.end, b.end)
    }
    let rest = ((left.count - i) - (right.count - j)).signum()
    return rest != 0 ? rest : tie
  }

  /// Where the run of digits at `start` ends, and where its leading zeros do.
  private static func digitRun(_ text: [UInt8], _ start: Int) -> (significant: Int, end: Int) {
    var end = start
    while end < text.count, isDigit(text[end]) { end += 1 }
    var significant = start
    while significant < end, text[significant] == UInt8(ascii: "0") { significant += 1 }
    return (significant, end)
  }

  private static func compareRuns(_ left: ArraySlice<UInt8>, _ right: ArraySlice<UInt8>) -> Int {
    guard left.count == right.count else { return left.count < right.count ? -1 : 1 }
    for (a, b) in zip(left, right) where a != b { return a < b ? -1 : 1 }
    return 0
  }

  private static func isDigit(_ byte: UInt8) -> Bool { byte &- UInt8(ascii: "0") <= 9 }
}
