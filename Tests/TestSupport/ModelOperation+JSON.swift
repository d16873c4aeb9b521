extension ModelNestedNode {
  /// The node as nested JSON of the contract.
  package var json: [UInt8] {
    JSONText.object(members)
  }

  var members: [(String, [UInt8])] {
    var members = [("key", JSONText.string(key.bytes))]
    // The contract drops white space around an object, so inserted objects have some.
    if let object { members.append(("object", Array(" \(object.text)\n".utf8))) }
    switch children {
    case .leaf: break
    case .unloaded: members.append(("children", JSONText.string("unloaded")))
    case .loaded(let nodes): members.append(("children", JSONText.array(nodes.map(\.json))))
    }
    if let hint { members.append(("childCount", JSONText.number(hint))) }
    if let section { members.append(("section", JSONText.key(section))) }
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

extension ModelTarget {
  fileprivate var members: [(String, [UInt8])] {
    switch self {
    case .node(let key): [("key", JSONText.key(key))]
    case .roots(let section?): [("section", JSONText.key(section))]
    case .roots(nil): [("key", JSONText.key(nil))]
    }
  }
}

extension ModelNewChildren {
  fileprivate var members: [(String, [UInt8])] {
    switch self {
    case .nodes(let nodes): [("children", JSONText.array(nodes.map(\.json)))]
    case .none: [("children", JSONText.key(nil))]
    case .state(let state, nil): [("children", JSONText.string(state.rawValue))]
    case .state(let state, let hint?):
      [("children", JSONText.string(state.rawValue)), ("childCount", JSONText.number(hint))]
    }
  }
}

extension ModelSortTarget {
  fileprivate var members: [(String, [UInt8])] {
    switch self {
    case .everywhere: []
    case .roots(nil): [("key", JSONText.key(nil))]
    case .roots(let section?):
      [("key", JSONText.key(nil)), ("section", JSONText.key(section))]
    case .children(let key): [("key", JSONText.key(key))]
    }
  }
}

extension ModelSelection {
  fileprivate var members: [(String, [UInt8])] {
    switch self {
    case .keys(let keys): [ModelOperation.member(keys)]
    case .subtree(let key): [("subtree", JSONText.key(key))]
    }
  }
}

extension ModelOperation {
  /// The operation as JSON of the contract.
  package var json: [UInt8] {
    if case .malformed(let text, _) = self { return Array(text.utf8) }
    return JSONText.object([("op", JSONText.string(name))] + members)
  }

  /// Returns the batch of these operations as JSON of the contract.
  package static func batch(_ operations: [ModelOperation]) -> [UInt8] {
    JSONText.object([("operations", JSONText.array(operations.map(\.json)))])
  }

  /// Returns insertions of leaves as lines of an import.
  package static func importLines(_ operations: [ModelOperation]) -> [UInt8] {
    operations.flatMap { operation -> [UInt8] in
      guard case .insert(let node, let parent, let section, _) = operation else { return [] }
      var members = [("key", JSONText.key(node.key))]
      if let parent { members.append(("parent", JSONText.key(parent))) }
      if let section { members.append(("section", JSONText.key(section))) }
      if let object = node.object { members.append(("object", object.compactBytes)) }
      return JSONText.object(members) + [UInt8(ascii: "\n")]
    }
  }

  /// The operation's name in the contract.
  package var name: String {
    switch self {
    case .merge: "update"
    case .removeAll: "remove"
    case .malformed: "malformed"
    default: String(String(describing: self).prefix { $0.isLetter })
    }
  }

  private var members: [(String, [UInt8])] {
    switch self {
    case .insert(let node, let parent, let section, let place):
      let parent = parent.map { [("parent", JSONText.key($0))] } ?? []
      return node.members + parent + ModelOperation.section(section) + place.members
    case .update(let key, let object):
      return [("key", JSONText.key(key)), ("object", object.bytes)]
    case .merge(let key, let patch): return [("key", JSONText.key(key)), ("merge", patch.bytes)]
    // A key may be written with escapes, which removals use.
    case .remove(let key): return [("key", JSONText.escapedString(key.description))]
    case .removeAll(let keys): return [("keys", JSONText.array(keys.map(JSONText.key)))]
    case .move(let keys, let parent, let section, let place):
      return [ModelOperation.member(keys), ("parent", JSONText.key(parent))]
        + ModelOperation.section(section) + place.members
    case .setChildren(let target, let children): return target.members + children.members
    case .sort(let target, let sort):
      return target.members + [("by", JSONText.array(sort.map(\.json)))]
    case .expand(let key, let levels), .collapse(let key, let levels), .toggle(let key, let levels):
      return [("key", JSONText.key(key))] + levels.members
    case .reveal(let keys, let selects):
      return [ModelOperation.member(keys)] + (selects ? [("select", JSONText.bool(true))] : [])
    case .select(let selection), .deselect(let selection): return selection.members
    case .expandAll, .collapseAll, .clearSelection, .malformed: return []
    case .insertSection, .removeSection, .moveSection, .renameSection, .expandSection,
      .collapseSection:
      return sectionMembers
    }
  }

  private var sectionMembers: [(String, [UInt8])] {
    switch self {
    case .insertSection(let name, let index):
      ModelOperation.section(name) + (index.map { [("index", JSONText.number($0))] } ?? [])
    case .moveSection(let name, let index):
      ModelOperation.section(name) + [("index", JSONText.number(index))]
    case .renameSection(let name, let new):
      ModelOperation.section(name) + [("to", JSONText.key(new))]
    case .removeSection(let name), .expandSection(let name), .collapseSection(let name):
      ModelOperation.section(name)
    default: []
    }
  }

  private static func section(_ name: ModelKey?) -> [(String, [UInt8])] {
    name.map { [("section", JSONText.key($0))] } ?? []
  }

  /// Returns the member `key` for one key, or `keys` for several.
  fileprivate static func member(_ keys: [ModelKey]) -> (String, [UInt8]) {
    if keys.count == 1, let key = keys.first { return ("key", JSONText.key(key)) }
    return ("keys", JSONText.array(keys.map(JSONText.key)))
  }
}
