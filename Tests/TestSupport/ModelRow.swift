/// A node as a session sees it: every field of the contract's row.
package struct ModelRow: Sendable {
  /// Tells a node from a later one with the same key; not part of the contract.
  package var identity: Int
  /// The index among the visible rows; `nil` while hidden.
  package var index: Int?
  /// The node's key.
  package var key: ModelKey
  /// The parent's key; `nil` at a root.
  package var parent: ModelKey?
  /// The number of ancestors.
  package var depth: Int
  /// The place among the parent's children.
  package var position: Int
  /// The number of the parent's children, this one included.
  package var siblingCount: Int
  /// Whether the children are shown when the node is.
  package var expanded: Bool
  /// `leaf`, `unloaded` or `loaded`.
  package var childState: String
  /// The number of children; `nil` while unloaded.
  package var childCount: Int?
  /// The rows the node shows below itself, or would if it were visible.
  package var visibleDescendantCount: Int
  /// The object.
  package var object: RawJSON
  /// Whether only the object's compact text is settled, since a merge made it.
  package var isMerged: Bool

  /// The names of the contract's row fields that this model knows.
  package static let fieldNames = [
    "index", "key", "parent", "depth", "position", "siblingCount", "expanded", "childState",
    "childCount", "visibleDescendantCount", "object",
  ]

  /// A field's value as JSON text; `nil` for a name that is not in ``fieldNames``.
  package func json(_ field: String) -> [UInt8]? {
    switch field {
    case "index": JSONText.number(index)
    case "key": JSONText.key(key)
    case "parent": JSONText.key(parent)
    case "depth": JSONText.number(depth)
    case "position": JSONText.number(position)
    case "siblingCount": JSONText.number(siblingCount)
    case "expanded": JSONText.bool(expanded)
    case "childState": JSONText.string(childState)
    case "childCount": JSONText.number(childCount)
    case "visibleDescendantCount": JSONText.number(visibleDescendantCount)
    case "object": object.bytes
    default: nil
    }
  }

  /// The row as JSON, with the fields named.
  package func json(fields: [String] = ModelRow.fieldNames) -> [UInt8] {
    JSONText.object(fields.compactMap { name in json(name).map { (name, $0) } })
  }

  /// Which of the fields that an `update` reports read differently in another state of the row.
  package func changedFields(since old: ModelRow) -> Set<String> {
    let reported = ["object", "expanded", "childState", "childCount"]
    return Set(reported.filter { json($0) != old.json($0) })
  }
}

extension ModelRow: CustomStringConvertible {
  /// The row as a line of an outline.
  package var description: String {
    let mark = childState == "leaf" ? "•" : (expanded ? "▾" : "▸")
    let lazy = childState == "unloaded" ? " (unloaded)" : ""
    return String(repeating: "  ", count: depth) + "\(mark) \(key)\(lazy) \(object.text)"
  }
}
