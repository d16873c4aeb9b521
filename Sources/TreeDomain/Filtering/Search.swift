import JSON

/// A search for a text, regardless of case.
package struct Search: Equatable, Sendable {
  /// The largest size of the text in bytes.
  package static let maxQueryBytes = 512

  /// The location that is searched; `nil` for the key and all strings of the object.
  package let subject: SortDescriptor.Subject?
  /// The text.
  package let query: [UInt8]
  private let sought: TextSearch

  /// Makes a search.
  ///
  /// - Parameters:
  ///   - query: The text in valid UTF-8.
  ///   - subject: The location to search; `nil` for the key and all strings of the object.
  package init(_ query: [UInt8], by subject: SortDescriptor.Subject? = nil) {
    self.query = query
    self.subject = subject
    sought = TextSearch(query, isCaseSensitive: false)
  }

  /// Returns true if a node contains the text in the location.
  ///
  /// Names of members are not searched. A number is searched as text only if it is at ``subject``.
  ///
  /// - Throws: The errors of `count`.
  /// - Complexity: O(length of key and object).
  package func matches(
    _ node: SortOrder.Subject,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Bool {
    try count(1 + node.object.count / 64)
    switch subject {
    case .key: return try sought.isContained(in: node.key, counting: count)
    case .value(let pointer):
      guard let range = pointer.evaluate(in: node.object) else { return false }
      switch ValueText(node.object[range]) {
      case .string(let text), .number(let text):
        return try sought.isContained(in: text, counting: count)
      case .other: return false
      }
    case nil:
      if try sought.isContained(in: node.key, counting: count) { return true }
      return try isInString(of: node.object, counting: count)
    }
  }

  private func isInString(
    of object: ArraySlice<UInt8>,
    counting count: (Int) throws(ServiceError) -> Void
  ) throws(ServiceError) -> Bool {
    var strings = StringWalk(object)
    while let string = strings.next() {
      if try sought.isContained(in: ValueText.decoded(string), counting: count) { return true }
    }
    return false
  }
}
