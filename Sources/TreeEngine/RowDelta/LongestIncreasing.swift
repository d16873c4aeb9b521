/// Returns the indexes of a longest strictly increasing subsequence.
///
/// - Complexity: O(*n* log *n*), or O(*n*) if the values are ascending.
func longestIncreasing(_ values: [Int32]) -> [Int] {
  // For each length: the least value at which a subsequence of that length ends, and its index.
  var tails: [Int32] = []
  var tailPlaces: [Int32] = []
  var previous = [Int32](repeating: -1, count: values.count)
  for (place, value) in values.enumerated() {
    let length = lengthBelow(value, tails)
    if length > 0 { previous[place] = tailPlaces[length - 1] }
    if length == tails.count {
      tails.append(value)
      tailPlaces.append(Int32(place))
    } else {
      tails[length] = value
      tailPlaces[length] = Int32(place)
    }
  }
  var result = [Int](repeating: 0, count: tails.count)
  var place = tailPlaces.last ?? -1
  for length in result.indices.reversed() {
    result[length] = Int(place)
    place = previous[Int(place)]
  }
  return result
}

/// Returns the number of ascending values below a value.
private func lengthBelow(_ value: Int32, _ tails: [Int32]) -> Int {
  if tails.last.map({ $0 < value }) ?? true { return tails.count }
  var low = 0
  var high = tails.count - 1
  while low < high {
    let middle = (low + high) / 2
    if tails[middle] < value { low = middle + 1 } else { high = middle }
  }
  return low
}
