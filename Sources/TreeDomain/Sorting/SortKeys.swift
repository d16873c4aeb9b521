/// The sort keys of many nodes.
package struct SortKeys: Sendable {
  /// A part of a key: eight of its bytes as a number, and the index of the key.
  struct Part {
    var chunk: UInt64
    let place: Int32

    static func precedes(_ left: Part, _ right: Part) -> Bool {
      left.chunk != right.chunk ? left.chunk < right.chunk : left.place < right.place
    }
  }

  private let order: SortOrder
  /// All keys, concatenated.
  private var bytes: [UInt8] = []
  /// The end offset of each key.
  ///
  /// The first element is 0.
  private var ends: [Int] = [0]

  /// Makes an empty list with room for `capacity` keys.
  package init(_ order: SortOrder, capacity: Int) {
    self.order = order
    ends.reserveCapacity(capacity + 1)
    bytes.reserveCapacity(capacity * 16)
  }

  /// Adds the key of a node.
  ///
  /// - Complexity: O(length of the object) for each criterion.
  package mutating func append(_ subject: SortOrder.Subject) {
    order.append(subject, to: &bytes)
    ends.append(bytes.count)
  }

  /// The size of all keys and their offsets in bytes.
  package var byteCount: Int { bytes.count + 8 * ends.count }

  /// The key of the node that was added at an index, from 0.
  package subscript(place: Int) -> SortKey {
    SortKey(bytes: Array(bytes[ends[place]..<ends[place + 1]]))
  }

  /// Sorts the keys, stably.
  ///
  /// Keys are compared by their first eight bytes, and equal ones by the next eight, and so on. So
  /// a common prefix is not compared again and again.
  ///
  /// - Parameter count: Counts steps, some thousands at a time at most.
  /// - Returns: The indexes of the keys in sorted order.
  /// - Throws: The errors of `count`.
  /// - Complexity: O(bytes + *n* log *n*).
  package func sorted(
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> [Int] {
    var parts = (0..<Int32(ends.count - 1)).map { Part(chunk: 0, place: $0) }
    var pending = [(range: parts.indices, offset: 0)]
    while let (range, offset) = pending.popLast() {
      for index in range { parts[index].chunk = chunk(of: Int(parts[index].place), from: offset) }
      try Self.sort(&parts, range, counting: count)
      var start = range.lowerBound
      while start < range.upperBound {
        var end = start + 1
        while end < range.upperBound, parts[end].chunk == parts[start].chunk { end += 1 }
        if end - start > 1, !isEnded(Int(parts[start].place), offset + 8) {
          pending.append((start..<end, offset + 8))
        }
        start = end
      }
    }
    return parts.map { Int($0.place) }
  }

  private static func sort(
    _ parts: inout [Part],
    _ range: Range<Int>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) {
    try count(range.count / 8 + 1)
    guard range.count <= few else {
      return try MergeSort.sort(&parts, range, by: Part.precedes, counting: count)
    }
    for index in range.dropFirst() {
      let part = parts[index]
      var place = index
      while place > range.lowerBound, Part.precedes(part, parts[place - 1]) {
        parts[place] = parts[place - 1]
        place -= 1
      }
      parts[place] = part
    }
  }

  /// The largest number of parts that are sorted by insertion.
  private static let few = 16

  /// Returns eight bytes of a key as a number, with zeros after its end.
  private func chunk(of place: Int, from offset: Int) -> UInt64 {
    let start = ends[place] + offset
    var chunk: UInt64 = 0
    for index in start..<(start + 8) {
      chunk = chunk << 8 | (index < ends[place + 1] ? UInt64(bytes[index]) : 0)
    }
    return chunk
  }

  /// Returns true if a key ends at or before an offset.
  ///
  /// Keys with the same bytes before the offset then end there, too.
  private func isEnded(_ place: Int, _ offset: Int) -> Bool {
    ends[place] + offset >= ends[place + 1]
  }
}

/// The sort key of a node in a ``SortOrder``: bytes whose lexicographic order is that of the nodes.
package struct SortKey: Comparable, Sendable {
  let bytes: [UInt8]

  /// The size of the key in bytes.
  package var byteCount: Int { bytes.count }

  /// Returns true if the node of the left key comes first.
  ///
  /// - Precondition: Both keys are of the same order.
  package static func < (left: SortKey, right: SortKey) -> Bool {
    left.bytes.lexicographicallyPrecedes(right.bytes)
  }
}
