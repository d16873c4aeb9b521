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
    var bytes: [UInt8] = []
    append(subject, to: &bytes)
    return SortKey(bytes: bytes)
  }

  /// Appends the bytes of a node's key.
  func append(_ subject: Subject, to bytes: inout [UInt8]) {
    for descriptor in descriptors { descriptor.append(subject, to: &bytes) }
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
