/// A test of nodes.
///
/// The rows are the nodes that pass it, and their ancestors.
public indirect enum TreeFilter: Sendable, Hashable {
  /// A comparison of a value of the object with a given one.
  public enum Test: Sendable, Hashable {
    /// The value is equal. Numbers are compared by value, arrays and objects by content.
    case equals(JSONValue)
    /// The text contains the given one.
    case contains(String)
    /// The text begins with the given one.
    case startsWith(String)
    /// The text matches a glob as a whole.
    case matches(String)
    /// The number or text is greater than the given one.
    case above(JSONValue)
    /// The number or text is less than the given one.
    case below(JSONValue)
  }

  /// A test of the value at a JSON Pointer, `""` for all of the object, or `#key` for the key.
  case value(by: String, Test, caseSensitive: Bool = false)
  /// All tests pass.
  case all([TreeFilter])
  /// At least one test passes.
  case any([TreeFilter])
  /// The test does not pass.
  case not(TreeFilter)
}

extension TreeFilter: Codable {
  private var json: JSONValue {
    switch self {
    case .all(let filters): return ["all": .array(filters.map(\.json))]
    case .any(let filters): return ["any": .array(filters.map(\.json))]
    case .not(let filter): return ["not": filter.json]
    case .value(let by, let test, let caseSensitive):
      var members: [String: JSONValue] = ["by": .string(by)]
      switch test {
      case .equals(let value): members["equals"] = value
      case .contains(let text): members["contains"] = .string(text)
      case .startsWith(let text): members["startsWith"] = .string(text)
      case .matches(let text): members["matches"] = .string(text)
      case .above(let value): members["above"] = value
      case .below(let value): members["below"] = value
      }
      if caseSensitive { members["caseSensitive"] = true }
      return .object(members)
    }
  }

  /// Encodes the filter for a request.
  public func encode(to encoder: any Encoder) throws { try json.encode(to: encoder) }

  /// Decodes a filter of an answer.
  public init(from decoder: any Decoder) throws {
    guard let filter = TreeFilter(try JSONValue(from: decoder)) else {
      let context = DecodingError.Context(
        codingPath: decoder.codingPath,
        debugDescription: "this is no filter"
      )
      throw DecodingError.dataCorrupted(context)
    }
    self = filter
  }

  private init?(_ json: JSONValue) {
    func list(_ name: String) -> [TreeFilter]? {
      guard case .array(let parts)? = json[name] else { return nil }
      let filters = parts.compactMap(TreeFilter.init)
      return filters.count == parts.count ? filters : nil
    }
    if let filters = list("all") {
      self = .all(filters)
    } else if let filters = list("any") {
      self = .any(filters)
    } else if let filter = json["not"].flatMap(TreeFilter.init) {
      self = .not(filter)
    } else if let by = json["by"]?.string, let test = Test(json) {
      self = .value(by: by, test, caseSensitive: json["caseSensitive"] == true)
    } else {
      return nil
    }
  }
}

extension TreeFilter.Test {
  fileprivate init?(_ json: JSONValue) {
    if let value = json["equals"] {
      self = .equals(value)
    } else if let text = json["contains"]?.string {
      self = .contains(text)
    } else if let text = json["startsWith"]?.string {
      self = .startsWith(text)
    } else if let text = json["matches"]?.string {
      self = .matches(text)
    } else if let value = json["above"] {
      self = .above(value)
    } else if let value = json["below"] {
      self = .below(value)
    } else {
      return nil
    }
  }
}
