/// The places of a longest strictly increasing subsequence.
///
/// - Complexity: O(*n* log *n*), O(*n*) where the values are in order.
func longestIncreasing(_ values: [Int32]) -> [Int] {
  // By length the least value that a subsequence so long ends with, and its place.
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

/// How many of some ascending values are below one.
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
