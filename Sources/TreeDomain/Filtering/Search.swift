import JSON

/// What a search looks for: a text, whatever the case of its letters.
public struct Search: Equatable, Sendable {
  /// How long the text may be, in bytes.
  public static let maxQueryBytes = 512

  /// Where the text is looked for; `nil` for the key and every string of the object.
  public let subject: SortDescriptor.Subject?
  /// The text.
  public let query: [UInt8]
  private let sought: TextSearch

  /// Makes a search.
  ///
  /// - Parameters:
  ///   - query: The text, valid UTF-8.
  ///   - subject: Where it is looked for; `nil` for the key and every string of the object.
  public init(_ query: [UInt8], by subject: SortDescriptor.Subject? = nil) {
    self.query = query
    self.subject = subject
    sought = TextSearch(query, isCaseSensitive: false)
  }

  /// Whether a node contains the text where it is looked for.
  ///
  /// Names of members are no strings of an object; a number is a text only where it is named.
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
