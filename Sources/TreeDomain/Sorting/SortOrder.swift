public import JSON

/// An order of siblings: the first criterion that tells two of them apart decides.
public struct SortOrder: Equatable, Sendable {
  /// What is sorted: a node's key, and its object as raw JSON.
  public struct Subject: Sendable {
    /// The key's bytes.
    public var key: ArraySlice<UInt8>
    /// The object's bytes, which must be valid JSON.
    public var object: ArraySlice<UInt8>

    /// Makes a subject.
    public init(key: ArraySlice<UInt8>, object: ArraySlice<UInt8>) {
      self.key = key
      self.object = object
    }
  }

  /// The criteria, the most important first; none makes all equal.
  public var descriptors: [SortDescriptor]

  /// Makes an order of criteria.
  public init(_ descriptors: [SortDescriptor]) {
    self.descriptors = descriptors
  }

  /// Whether there is no criterion.
  public var isEmpty: Bool { descriptors.isEmpty }

  /// Reads what the order looks at in a node, so that one node can be compared many times.
  ///
  /// - Complexity: O(length of the object) for each criterion.
  public func key(of subject: Subject) -> SortKey {
    let values = descriptors.map { SortValue(of: subject, by: $0) }
    guard let first = descriptors.first else { return SortKey(values: [], rank: 0) }
    let rank = values[0].rank(by: first.comparison)
    return SortKey(values: values, rank: first.direction == .ascending ? rank : ~rank)
  }

  /// Puts keys in order, equal ones as they stand.
  ///
  /// - Parameter keys: Keys of this order.
  /// - Returns: The places of all keys, in their order.
  /// - Complexity: O(*n* log *n*).
  public func sorted(_ keys: [SortKey]) -> [Int] {
    var places = keys.indices.map { (rank: keys[$0].rank, place: $0) }
    places.sort { left, right in
      if left.rank != right.rank { return left.rank < right.rank }
      let order = compare(keys[left.place], keys[right.place])
      return order != 0 ? order < 0 : left.place < right.place
    }
    return places.map(\.place)
  }

  /// Compares two nodes by what was read from them.
  ///
  /// - Precondition: Both keys are of this order.
  /// - Returns: -1 when `left` comes first, 1 when `right` does, and 0 when they are equal, which
  ///   leaves them in the order they have.
  public func compare(_ left: SortKey, _ right: SortKey) -> Int {
    precondition(left.values.count == descriptors.count && right.values.count == descriptors.count)
    for (i, descriptor) in descriptors.enumerated() {
      let order = SortValue.compare(left.values[i], right.values[i], descriptor.comparison)
      guard order == 0 else {
        return descriptor.direction == .ascending ? order : -order
      }
    }
    return 0
  }

  /// Compares two nodes; see ``compare(_:_:)`` for keys.
  public func compare(_ left: Subject, _ right: Subject) -> Int {
    compare(key(of: left), key(of: right))
  }

  /// Writes the criteria as an array.
  public func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for descriptor in descriptors {
      descriptor.write(to: &writer)
    }
    writer.endArray()
  }
}
