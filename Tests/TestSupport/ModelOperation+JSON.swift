extension ModelNestedNode {
  /// The node in the form the contract nests it.
  package var json: [UInt8] {
    JSONText.object(members)
  }

  var members: [(String, [UInt8])] {
    var members = [("key", JSONText.string(key.bytes))]
    // The contract drops white space around an object: every inserted one has some.
    if let object { members.append(("object", Array(" \(object.text)\n".utf8))) }
    switch children {
    case .leaf: break
    case .unloaded: members.append(("children", JSONText.string("unloaded")))
    case .loaded(let nodes): members.append(("children", JSONText.array(nodes.map(\.json))))
    }
    return members
  }
}

extension ModelPlace {
  var members: [(String, [UInt8])] {
    switch self {
    case .unspecified: []
    case .first: [("first", JSONText.bool(true))]
    case .index(let index): [("index", JSONText.number(index))]
    case .before(let key): [("before", JSONText.key(key))]
    case .after(let key): [("after", JSONText.key(key))]
    case .sort(let sort): [("sort", JSONText.array(sort.map(\.json)))]
    }
  }
}

extension ModelLevels {
  var members: [(String, [UInt8])] {
    switch self {
    case .count(1): []
    case .count(let count): [("levels", JSONText.number(count))]
    case .all: [("levels", JSONText.string("all"))]
    }
  }
}

extension ModelOperation {
  /// The operation in the form of the contract.
  package var json: [UInt8] {
    if case .malformed(let text, _) = self { return Array(text.utf8) }
    return JSONText.object([("op", JSONText.string(name))] + members)
  }

  /// The batch of these operations in the form of the contract.
  package static func batch(_ operations: [ModelOperation]) -> [UInt8] {
    JSONText.object([("operations", JSONText.array(operations.map(\.json)))])
  }

  private var name: String {
    switch self {
    case .insert: "insert"
    case .update, .merge: "update"
    case .remove: "remove"
    case .move: "move"
    case .expand: "expand"
    case .collapse: "collapse"
    case .toggle: "toggle"
    case .expandAll: "expandAll"
    case .collapseAll: "collapseAll"
    case .reveal: "reveal"
    case .malformed: "malformed"
    }
  }

  private var members: [(String, [UInt8])] {
    switch self {
    case .insert(let node, let parent, let place):
      let parent = parent.map { [("parent", JSONText.key($0))] } ?? []
      return node.members + parent + place.members
    case .update(let key, let object):
      return [("key", JSONText.key(key)), ("object", object.bytes)]
    case .merge(let key, let patch): return [("key", JSONText.key(key)), ("merge", patch.bytes)]
    // A key is the same key however it is written: a removed one comes with escapes.
    case .remove(let key): return [("key", JSONText.escapedString(key.description))]
    case .move(let keys, let parent, let place):
      return [ModelOperation.member(keys), ("parent", JSONText.key(parent))] + place.members
    case .expand(let key, let levels), .collapse(let key, let levels), .toggle(let key, let levels):
      return [("key", JSONText.key(key))] + levels.members
    case .reveal(let keys): return [ModelOperation.member(keys)]
    case .expandAll, .collapseAll, .malformed: return []
    }
  }

  /// One key as `key`, several as `keys`.
  private static func member(_ keys: [ModelKey]) -> (String, [UInt8]) {
    if keys.count == 1, let key = keys.first { return ("key", JSONText.key(key)) }
    return ("keys", JSONText.array(keys.map(JSONText.key)))
  }
}
