/// An operation of a batch.
///
/// It is applied to the result of the operations before it.
///
/// `openapi.yaml` describes each operation and its errors.
public struct TreeOperation: Sendable, Hashable, Codable {
  /// A place among siblings.
  public enum Place: Sendable, Hashable {
    /// An index, from 0. A move counts without the moved node.
    case index(Int)
    /// Directly before a sibling.
    case before(String)
    /// Directly after a sibling.
    case after(String)
    /// Before all siblings.
    case first
    /// Before the first sibling that is greater in this order.
    case sorted([TreeSortDescriptor])
  }

  /// A depth below a node.
  public enum Levels: Sendable, Hashable {
    /// A number of levels, at least 1.
    case count(Int)
    /// All levels.
    case all

    var json: JSONValue {
      switch self {
      case .count(let count): .integer(count)
      case .all: "all"
      }
    }
  }

  /// Nodes to select or deselect.
  public enum Nodes: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// A single node.
    case key(String)
    /// Some nodes.
    case keys([String])
    /// A node and everything below it, hidden or not.
    case subtree(String)

    /// Names a single node.
    public init(stringLiteral value: String) { self = .key(value) }

    /// Names some nodes.
    public init(arrayLiteral elements: String...) { self = .keys(elements) }

    var members: [String: JSONValue] {
      switch self {
      case .key(let key): ["key": .string(key)]
      case .keys(let keys): ["keys": .strings(keys)]
      case .subtree(let key): ["subtree": .string(key)]
      }
    }
  }

  /// The new children of a node.
  public enum Children: Sendable, Hashable {
    /// No children: the node becomes a leaf.
    case leaf
    /// The given nodes. Existing children with the same keys are kept.
    case nodes([NewNode])
    /// Children that are supplied later.
    case unloaded(count: Int? = nil)
    /// Children that are being supplied.
    case loading(count: Int? = nil)
    /// Children that could not be supplied.
    case failed(count: Int? = nil)

    var members: [String: JSONValue] {
      func mark(_ name: JSONValue, _ count: Int?) -> [String: JSONValue] {
        var members = ["children": name]
        members["childCount"] = count.map(JSONValue.integer)
        return members
      }
      return switch self {
      case .leaf: ["children": .null]
      case .nodes(let nodes): ["children": .array(nodes.map { .object($0.members) })]
      case .unloaded(let count): mark("unloaded", count)
      case .loading(let count): mark("loading", count)
      case .failed(let count): mark("failed", count)
      }
    }
  }

  /// The members of the operation in a batch.
  let members: [String: JSONValue]

  init(_ op: String, _ members: [String: JSONValue?]) {
    self.members = members.compactMapValues { $0 }.merging(["op": .string(op)]) { $1 }
  }

  /// Encodes the operation for a batch.
  public func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }

  /// Decodes an operation of a batch.
  public init(from decoder: any Decoder) throws { members = try .init(from: decoder) }
}

extension JSONValue {
  static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

  /// Returns a key, or null for the roots.
  static func parent(_ key: String?) -> JSONValue { key.map(JSONValue.string) ?? .null }
}

extension TreeOperation.Place? {
  var members: [String: JSONValue?] {
    switch self {
    case nil: [:]
    case .index(let index): ["index": .integer(index)]
    case .before(let key): ["before": .string(key)]
    case .after(let key): ["after": .string(key)]
    case .first: ["first": true]
    case .sorted(let sort): ["sort": .array(sort.map(\.json))]
    }
  }
}
