/// A merge sort in pieces, so that a long sort can be stopped after some thousand steps.
enum MergeSort {
  /// The number of elements that are sorted at once.
  private static let run = 4_096

  /// Sorts a range of an array.
  ///
  /// - Parameters:
  ///   - elements: The array.
  ///   - range: The range.
  ///   - precedes: A strict weak order.
  ///   - count: Counts the steps of each piece.
  /// - Throws: The errors of `count`. The array is then in an unspecified order, possibly with
  ///   duplicates.
  /// - Complexity: O(*n* log *n*).
  static func sort<Element>(
    _ elements: inout [Element],
    _ range: Range<Int>,
    by precedes: (Element, Element) -> Bool,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) {
    for start in stride(from: range.lowerBound, to: range.upperBound, by: run) {
      let piece = start..<min(start + run, range.upperBound)
      try count(piece.count)
      elements.replaceSubrange(piece, with: elements[piece].sorted(by: precedes))
    }
    var width = run
    while width < range.count {
      var merged: [Element] = []
      merged.reserveCapacity(range.count)
      for start in stride(from: range.lowerBound, to: range.upperBound, by: 2 * width) {
        let middle = min(start + width, range.upperBound)
        let end = min(middle + width, range.upperBound)
        try merge(elements, start..<middle, middle..<end, into: &merged, by: precedes, count)
      }
      elements.replaceSubrange(range, with: merged)
      width *= 2
    }
  }

  private static func merge<Element>(
    _ elements: [Element],
    _ left: Range<Int>,
    _ right: Range<Int>,
    into merged: inout [Element],
    by precedes: (Element, Element) -> Bool,
    _ count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) {
    var (i, k) = (left.lowerBound, right.lowerBound)
    while i < left.upperBound || k < right.upperBound {
      if (i + k) % run == 0 { try count(run / 8) }
      let takesLeft =
        k == right.upperBound || (i < left.upperBound && !precedes(elements[k], elements[i]))
      merged.append(elements[takesLeft ? i : k])
      if takesLeft { i += 1 } else { k += 1 }
    }
  }
}
