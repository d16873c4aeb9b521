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
  /// Tells the section from a later one with the same name; not part of the contract.
  package var sectionIdentity: Int
  /// The section; `nil` in a tree without sections.
  package var section: ModelKey?
  /// The index among the section's rows; `nil` while hidden.
  package var sectionRow: Int?
  /// The place among the parent's children, or the section's roots; of a row under a filter, among
  /// those that are rows.
  package var position: Int
  /// The number of those, this one included.
  package var siblingCount: Int
  /// Whether the children are shown when the node is.
  package var expanded: Bool
  /// `leaf`, `unloaded`, `loading`, `failed` or `loaded`.
  package var childState: String
  /// The number of children; `nil` while nobody knows.
  package var childCount: Int?
  /// The rows the node shows below itself, or would if it were visible.
  package var visibleDescendantCount: Int
  /// Whether the node is selected.
  package var selected: Bool
  /// Whether the filter wants the node itself; `nil` without a filter.
  package var matched: Bool?
  /// The object.
  package var object: RawJSON
  /// Whether only the object's compact text is settled, since a merge made it.
  package var isMerged: Bool

  /// The names of the fields that every row has.
  package static let fieldNames = [
    "index", "key", "parent", "depth", "position", "siblingCount", "expanded", "childState",
    "childCount", "visibleDescendantCount", "selected", "object",
  ]

  /// The names of all fields that a row can have.
  package static let allFieldNames =
    fieldNames + ["section", "sectionRow", "matched"]

  /// The names of this row's fields, in the contract's order.
  package var fieldNames: [String] {
    ["index", "key", "parent", "depth"] + (section == nil ? [] : ["section", "sectionRow"])
      + [
        "position", "siblingCount", "expanded", "childState", "childCount",
        "visibleDescendantCount", "selected",
      ] + (matched == nil ? [] : ["matched"]) + ["object"]
  }

  /// A field's value as JSON text; `nil` where a row has no such field.
  package func json(_ field: String) -> [UInt8]? {
    switch field {
    case "index": JSONText.number(index)
    case "key": JSONText.key(key)
    case "parent": JSONText.key(parent)
    case "depth": JSONText.number(depth)
    case "section": section.map(JSONText.key)
    case "sectionRow": section.map { _ in JSONText.number(sectionRow) }
    case "position": JSONText.number(position)
    case "siblingCount": JSONText.number(siblingCount)
    case "expanded": JSONText.bool(expanded)
    case "childState": JSONText.string(childState)
    case "childCount": JSONText.number(childCount)
    case "visibleDescendantCount": JSONText.number(visibleDescendantCount)
    case "selected": JSONText.bool(selected)
    case "matched": matched.map(JSONText.bool)
    case "object": object.bytes
    default: nil
    }
  }

  /// The row as JSON, with the fields named, or all there are.
  package func json(fields: [String]? = nil) -> [UInt8] {
    JSONText.object((fields ?? fieldNames).compactMap { name in json(name).map { (name, $0) } })
  }

  /// Which of the fields that an `update` reports read differently in another state of the row.
  package func changedFields(since old: ModelRow) -> Set<String> {
    let reported = ["object", "expanded", "childState", "childCount", "selected", "matched"]
    return Set(reported.filter { json($0) != old.json($0) })
  }
}

extension ModelRow: CustomStringConvertible {
  /// The row as a line of an outline.
  package var description: String {
    let mark = childState == "leaf" ? "•" : (expanded ? "▾" : "▸")
    let lazy = childState == "leaf" || childState == "loaded" ? "" : " (\(childState))"
    let marks = (selected ? " selected" : "") + (matched == true ? " matched" : "")
    let place = section.map { "[\($0)] " } ?? ""
    return place + String(repeating: "  ", count: depth)
      + "\(mark) \(key)\(lazy)\(marks) \(object.text)"
  }
}
