/// A value by which nodes are sorted.
public struct TreeSortDescriptor: Sendable, Hashable, Codable {
  /// An order of values.
  public enum Direction: String, Sendable, Codable {
    /// The least value first.
    case ascending
    /// The greatest value first.
    case descending
  }

  /// A comparison of values; `openapi.yaml` describes each.
  public enum Comparison: String, Sendable, Codable {
    /// By type, then by value.
    case auto
    /// As texts, by code points.
    case text
    /// As texts, in lower case.
    case caseInsensitive
    /// As texts, with runs of digits as numbers.
    case natural
    /// As numbers.
    case number
  }

  /// A JSON Pointer into the object, `""` for all of it, or `#key` for the key.
  public var by: String
  /// The order; ascending if nil.
  public var direction: Direction?
  /// The comparison; `auto` if nil.
  public var compare: Comparison?

  /// Creates a descriptor.
  public init(by: String, _ direction: Direction? = nil, compare: Comparison? = nil) {
    self.by = by
    self.direction = direction
    self.compare = compare
  }

  /// The members of the descriptor in a request.
  var json: JSONValue {
    var members: [String: JSONValue] = ["by": .string(by)]
    members["direction"] = (direction?.rawValue).map(JSONValue.string)
    members["compare"] = (compare?.rawValue).map(JSONValue.string)
    return .object(members)
  }
}
