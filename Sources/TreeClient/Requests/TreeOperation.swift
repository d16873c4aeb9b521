/// An operation of a batch.
///
/// Each sees what those before it did.
///
/// `openapi.yaml` explains each operation and what it refuses.
public struct TreeOperation: Sendable, Hashable, Codable {
  /// A place among siblings.
  public enum Place: Sendable, Hashable {
    /// An index, from 0; for a move, after the node was taken out.
    case index(Int)
    /// In front of a sibling.
    case before(String)
    /// Behind a sibling.
    case after(String)
    /// In front of all siblings.
    case first
    /// In front of the first sibling that compares greater.
    case sorted([TreeSortDescriptor])
  }

  /// A depth below a node.
  public enum Levels: Sendable, Hashable {
    /// A number of levels, from 1.
    case count(Int)
    /// Everything below.
    case all

    var json: JSONValue {
      switch self {
      case .count(let count): .integer(count)
      case .all: "all"
      }
    }
  }

  /// Nodes that are selected, or are no longer.
  public enum Nodes: Sendable, Hashable, ExpressibleByStringLiteral, ExpressibleByArrayLiteral {
    /// A single node.
    case key(String)
    /// Some nodes.
    case keys([String])
    /// A node and everything below it, hidden or not.
    case subtree(String)

    /// Names one node.
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

  /// The children that a node is given.
  public enum Children: Sendable, Hashable {
    /// No children: the node becomes a leaf.
    case leaf
    /// These ones. They are compared with those that are there by their keys.
    case nodes([NewNode])
    /// Ones that are supplied later.
    case unloaded(count: Int? = nil)
    /// Ones that are about to be supplied.
    case loading(count: Int? = nil)
    /// Ones that could not be supplied.
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

  /// The members of the operation, as a batch has them.
  let members: [String: JSONValue]

  init(_ op: String, _ members: [String: JSONValue?]) {
    self.members = members.compactMapValues { $0 }.merging(["op": .string(op)]) { $1 }
  }

  /// Writes the operation as a batch has it.
  public func encode(to encoder: any Encoder) throws { try members.encode(to: encoder) }

  /// Reads an operation as a batch has it.
  public init(from decoder: any Decoder) throws { members = try .init(from: decoder) }
}

extension JSONValue {
  static func strings(_ texts: [String]) -> JSONValue { .array(texts.map(JSONValue.string)) }

  /// Returns a key, or the null that stands for the roots.
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
