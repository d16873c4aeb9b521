/// Returns the candidate that a misspelt name probably means.
///
/// Letter case, `_` and `-` are ignored.
///
/// - Returns: The first candidate at the least edit distance, or `nil` if that is too large. The
///   limit is a third of the misspelt name's length, but at least 2, and 1 for names of up to two
///   bytes. At least one byte must match.
/// - Complexity: O(*n* · *m*) for each candidate, *n* and *m* being the lengths of the two names.
///   A name of more than 64 bytes gives `nil` at once.
package func nearestName(to name: String, among candidates: [String]) -> String? {
  guard name.utf8.count <= 64 else { return nil }
  let folded = nameWithoutMarks(name)
  let limit = folded.count < 3 ? 1 : max(2, folded.count / 3)
  let ranked = candidates.map { candidate in
    (name: candidate, distance: editDistance(folded, nameWithoutMarks(candidate)))
  }
  guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit,
    best.distance < max(folded.count, 1)
  else { return nil }
  return best.name
}

/// Returns the bytes of a name in lower case, without `_` and `-`.
package func nameWithoutMarks(_ name: String) -> [UInt8] {
  name.utf8.filter { $0 != UInt8(ascii: "_") && $0 != UInt8(ascii: "-") }
    .map { UInt8(ascii: "A")...UInt8(ascii: "Z") ~= $0 ? $0 | 0x20 : $0 }
}

/// Counts the insertions, deletions, replacements and swaps of neighbouring bytes that turn one
/// text into another.
///
/// The row-by-row form of Wagner and Fischer, *The String-to-String Correction Problem*,
/// JACM 21(1), 1974, with the swaps of Damerau, CACM 7(3), 1964.
package func editDistance(_ first: [UInt8], _ second: [UInt8]) -> Int {
  var last: [Int] = []
  var row = Array(0...second.count)
  for (line, letter) in first.enumerated() {
    let above = row
    row[0] = line + 1
    for (column, other) in second.enumerated() {
      let replaced = above[column] + (letter == other ? 0 : 1)
      row[column + 1] = min(replaced, above[column + 1] + 1, row[column] + 1)
      if line > 0, column > 0, letter == second[column - 1], first[line - 1] == other {
        row[column + 1] = min(row[column + 1], last[column - 1] + 1)
      }
    }
    last = above
  }
  return row[second.count]
}
