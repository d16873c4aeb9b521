/// Returns the indexes of a heaviest strictly increasing subsequence.
///
/// For each value, a Fenwick tree (1994) finds the best subsequence that ends before and below it.
///
/// - Parameter items: Distinct values with their weights.
/// - Returns: The indexes in ascending order.
/// - Complexity: O(*n* log *n*).
public func heaviestIncreasing(_ items: [(value: Int, weight: Int)]) -> [Int] {
  var rank = [Int](repeating: 0, count: items.count)
  let order = items.indices.sorted { items[$0].value < items[$1].value }
  for (place, item) in order.enumerated() { rank[item] = place + 1 }
  // A Fenwick tree by rank: the item at which the best subsequence of its range ends.
  var best = [Int?](repeating: nil, count: items.count + 1)
  var totals = items.map(\.weight)
  var previous = [Int?](repeating: nil, count: items.count)
  func better(_ one: Int?, _ other: Int?) -> Int? {
    guard let one, let other else { return one ?? other }
    return totals[one] >= totals[other] ? one : other
  }
  for item in items.indices {
    var place = rank[item] - 1
    while place > 0 {
      previous[item] = better(previous[item], best[place])
      place &= place - 1
    }
    totals[item] += previous[item].map { totals[$0] } ?? 0
    place = rank[item]
    while place <= items.count {
      best[place] = better(best[place], item)
      place += place & -place
    }
  }
  var result: [Int] = []
  var next = items.indices.max { totals[$0] < totals[$1] }
  while let item = next {
    result.append(item)
    next = previous[item]
  }
  return result.reversed()
}
