import JSON

/// A search for a text, regardless of case.
public struct Search: Equatable, Sendable {
  /// The largest size of the text in bytes.
  public static let maxQueryBytes = 512

  /// The location that is searched; `nil` for the key and all strings of the object.
  public let subject: SortDescriptor.Subject?
  /// The text.
  public let query: [UInt8]
  private let sought: TextSearch

  /// Makes a search.
  ///
  /// - Parameters:
  ///   - query: The text in valid UTF-8.
  ///   - subject: The location to search; `nil` for the key and all strings of the object.
  public init(_ query: [UInt8], by subject: SortDescriptor.Subject? = nil) {
    self.query = query
    self.subject = subject
    sought = TextSearch(query, isCaseSensitive: false)
  }

  /// Returns true if a node contains the text in the location.
  ///
  /// Names of members are not searched. A number is searched as text only if it is at ``subject``.
  ///
  /// - Complexity: O(length of key and object).
  public func matches(_ node: SortOrder.Subject) -> Bool {
    switch subject {
    case .key: return sought.isContained(in: node.key)
    case .value(let pointer):
      guard let range = pointer.evaluate(in: node.object) else { return false }
      switch ValueText(node.object[range]) {
      case .string(let text), .number(let text): return sought.isContained(in: text)
      case .other: return false
      }
    case nil:
      return sought.isContained(in: node.key) || isInString(of: node.object)
    }
  }

  private func isInString(of object: ArraySlice<UInt8>) -> Bool {
    var strings = StringWalk(object)
    while let string = strings.next() {
      if sought.isContained(in: ValueText.decoded(string)) { return true }
    }
    return false
  }
}
