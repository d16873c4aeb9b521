/// Finds the name that a misspelt one was probably meant to be.
///
/// - Returns: The first candidate at the least edit distance, if that is at most 2 or a third of
///   the misspelt name's length; otherwise nil.
/// - Complexity: O(*n* · *m*) for each candidate, *n* and *m* being the lengths of the two names.
func nearestName(to name: String, among candidates: [String]) -> String? {
  let limit = max(2, name.utf8.count / 3)
  let ranked = candidates.map { (name: $0, distance: editDistance(name, $0)) }
  guard let best = ranked.min(by: { $0.distance < $1.distance }), best.distance <= limit else {
    return nil
  }
  return best.name
}

/// Counts the insertions, deletions and replacements of a byte that turn one text into another.
///
/// The row-by-row form of Wagner and Fischer, *The String-to-String Correction Problem*,
/// JACM 21(1), 1974.
func editDistance(_ first: String, _ second: String) -> Int {
  let target = Array(second.utf8)
  var row = Array(0...target.count)
  for (line, letter) in first.utf8.enumerated() {
    var diagonal = row[0]
    row[0] = line + 1
    for column in target.indices {
      let replaced = diagonal + (letter == target[column] ? 0 : 1)
      diagonal = row[column + 1]
      row[column + 1] = min(replaced, min(row[column], diagonal) + 1)
    }
  }
  return row[target.count]
}
