// Operations that change data.
extension TreeOperation {
  /// Inserts a node with everything below it.
  ///
  /// - Parameters:
  ///   - node: The node.
  ///   - parent: The key of the parent; nil for a root.
  ///   - place: The place among the siblings. If nil, it follows the `sort` of the tree, or is the
  ///     last one.
  /// - Returns: The operation.
  public static func insert(
    _ node: NewNode,
    into parent: String? = nil,
    at place: Place? = nil
  ) -> TreeOperation {
    TreeOperation(
      "insert",
      place.members.merging(node.members) { $1 }.merging(["parent": parent.map(JSONValue.string)]) {
        $1
      }
    )
  }

  /// Replaces the object of a node.
  public static func update(_ key: String, object: JSONValue) -> TreeOperation {
    TreeOperation("update", ["key": .string(key), "object": object])
  }

  /// Merges members into the object of a node (RFC 7396).
  ///
  /// A null removes a member.
  public static func update(_ key: String, merging patch: JSONValue) -> TreeOperation {
    TreeOperation("update", ["key": .string(key), "merge": patch])
  }

  /// Removes nodes and everything below them.
  public static func remove(_ keys: String...) -> TreeOperation { remove(keys) }

  /// Removes nodes and everything below them.
  public static func remove(_ keys: [String]) -> TreeOperation {
    TreeOperation("remove", ["keys": .strings(keys)])
  }

  /// Moves nodes with everything below them, in the given order.
  ///
  /// - Parameters:
  ///   - keys: The nodes.
  ///   - parent: The key of the new parent; nil to make them roots.
  ///   - place: The place among the siblings, as for an insertion.
  ///   - section: The section of roots; that of the anchor, or of the first node, if nil.
  /// - Returns: The operation.
  public static func move(
    _ keys: [String],
    into parent: String?,
    at place: Place? = nil,
    section: String? = nil
  ) -> TreeOperation {
    var members = place.members
    members["keys"] = .strings(keys)
    members["parent"] = .parent(parent)
    members["section"] = section.map(JSONValue.string)
    return TreeOperation("move", members)
  }

  /// Moves a node with everything below it.
  public static func move(
    _ key: String,
    into parent: String?,
    at place: Place? = nil,
    section: String? = nil
  ) -> TreeOperation {
    move([key], into: parent, at: place, section: section)
  }

  /// Replaces the children of a node, or the roots if the key is nil.
  ///
  /// Nodes whose keys are in both lists are kept.
  public static func setChildren(
    of key: String?,
    _ children: Children,
    section: String? = nil
  ) -> TreeOperation {
    var members: [String: JSONValue?] = children.members
    members["key"] = .parent(key)
    members["section"] = section.map(JSONValue.string)
    return TreeOperation("setChildren", members)
  }

  /// Sorts all siblings in the whole tree.
  public static func sort(by descriptors: [TreeSortDescriptor]) -> TreeOperation {
    TreeOperation("sort", ["by": .array(descriptors.map(\.json))])
  }

  /// Sorts the children of a node.
  ///
  /// If the key is nil, sorts the roots, or those of a section.
  public static func sort(
    childrenOf key: String?,
    by descriptors: [TreeSortDescriptor],
    section: String? = nil
  ) -> TreeOperation {
    let by = JSONValue.array(descriptors.map(\.json))
    let section = section.map(JSONValue.string)
    return TreeOperation("sort", ["by": by, "key": .parent(key), "section": section])
  }

  /// Inserts an empty section, at the end if no index is given.
  public static func insertSection(_ section: String, at index: Int? = nil) -> TreeOperation {
    let index = index.map(JSONValue.integer)
    return TreeOperation("insertSection", ["section": .string(section), "index": index])
  }

  /// Removes a section with all its roots.
  public static func removeSection(_ section: String) -> TreeOperation {
    TreeOperation("removeSection", ["section": .string(section)])
  }

  /// Moves a section to an index among the others.
  public static func moveSection(_ section: String, to index: Int) -> TreeOperation {
    TreeOperation("moveSection", ["section": .string(section), "index": .integer(index)])
  }

  /// Renames a section.
  public static func renameSection(_ section: String, to name: String) -> TreeOperation {
    TreeOperation("renameSection", ["section": .string(section), "to": .string(name)])
  }
}
