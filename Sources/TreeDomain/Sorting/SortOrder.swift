package import JSON

/// A sort order of siblings.
///
/// The first criterion that distinguishes two nodes decides.
package struct SortOrder: Hashable, Sendable {
  /// The sorted data of a node: its key and its object.
  package struct Subject: Sendable {
    /// The key's bytes.
    package var key: ArraySlice<UInt8>
    /// The object's bytes.
    ///
    /// They must be valid JSON.
    package var object: ArraySlice<UInt8>

    /// Makes a subject.
    package init(key: ArraySlice<UInt8>, object: ArraySlice<UInt8>) {
      self.key = key
      self.object = object
    }
  }

  /// The criteria, the most important first.
  ///
  /// Without any, all nodes are equal.
  package let descriptors: [SortDescriptor]
  /// The pointers of the criteria that compare values.
  private let pointers: JSONPointerSet
  /// True if some criterion maps text to lower case.
  private let isCaseInsensitive: Bool
  /// The hash of the criteria, which are too long to be hashed for each node.
  private let hash: Int

  /// Makes an order of criteria.
  package init(_ descriptors: [SortDescriptor]) {
    self.descriptors = descriptors
    pointers = JSONPointerSet(descriptors.compactMap(\.pointer))
    isCaseInsensitive = descriptors.contains { $0.comparison == .caseInsensitive }
    var hasher = Hasher()
    hasher.combine(descriptors)
    hash = hasher.finalize()
  }

  /// Returns true if two orders have the same criteria.
  package static func == (left: SortOrder, right: SortOrder) -> Bool {
    left.hash == right.hash && left.descriptors == right.descriptors
  }

  /// Hashes the criteria.
  package func hash(into hasher: inout Hasher) { hasher.combine(hash) }

  /// True if there is no criterion.
  package var isEmpty: Bool { descriptors.isEmpty }

  /// Returns the number of steps to compute the sort key of a node: about one for 64 bytes, or
  /// one for eight if text is mapped to lower case.
  package func steps(toRead subject: Subject) -> Int {
    let bytes = (pointers.count > 0 ? subject.object.count : 0) + subject.key.count
    return 1 + bytes / (isCaseInsensitive ? 8 : 64)
  }

  /// Computes the sort key of a node, so that it can be compared many times.
  ///
  /// - Complexity: O(length of the object), however many criteria there are.
  package func key(of subject: Subject) -> SortKey {
    var bytes: [UInt8] = []
    append(subject, to: &bytes)
    return SortKey(bytes: bytes)
  }

  /// Appends the sort key of a node.
  func append(_ subject: Subject, to bytes: inout [UInt8]) {
    // A single pointer is evaluated without an array of results.
    guard pointers.count > 1 else {
      for descriptor in descriptors {
        let place = descriptor.pointer.flatMap { $0.evaluate(in: subject.object) }
        descriptor.append(subject, value: place, to: &bytes)
      }
      return
    }
    var places = pointers.evaluate(in: subject.object)[...]
    for descriptor in descriptors {
      let place = descriptor.pointer == nil ? nil : places.removeFirst()
      descriptor.append(subject, value: place, to: &bytes)
    }
  }

  /// Writes the criteria as an array.
  package func write(to writer: inout JSONWriter) {
    writer.beginArray()
    for descriptor in descriptors {
      descriptor.write(to: &writer)
    }
    writer.endArray()
  }
}
