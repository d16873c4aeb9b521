/// A node as a session sees it, with all fields of the contract's row.
package struct ModelRow: Sendable {
  /// The identity, which differs from that of a later node with the same key. It is not in the
  /// contract.
  package var identity: Int
  /// The index among the visible rows; nil if the row is hidden.
  package var index: Int?
  /// The node's key.
  package var key: ModelKey
  /// The parent's key; nil for a root.
  package var parent: ModelKey?
  /// The number of ancestors.
  package var depth: Int
  /// The identity of the section, which differs from that of a later section with the same name. It
  /// is not in the contract.
  package var sectionIdentity: Int
  /// The section; nil in a tree without sections.
  package var section: ModelKey?
  /// The index among the section's rows; nil if the row is hidden.
  package var sectionRow: Int?
  /// The index among the siblings. For a row under a filter, only siblings that are rows count.
  package var position: Int
  /// The number of these siblings, including this row.
  package var siblingCount: Int
  /// True if the children are shown whenever the node is.
  package var expanded: Bool
  /// `leaf`, `unloaded`, `loading`, `failed` or `loaded`.
  package var childState: String
  /// The number of children; nil if unknown.
  package var childCount: Int?
  /// The number of rows below the node, or if it is hidden, of those it would have.
  package var visibleDescendantCount: Int
  /// True if the node is selected.
  package var selected: Bool
  /// True if the filter selects the node itself; nil without a filter.
  package var matched: Bool?
  /// The object.
  package var object: RawJSON
  /// True if a merge produced the object, so that only its compact text is defined.
  package var isMerged: Bool

  /// The names of the fields of every row.
  package static let fieldNames = [
    "index", "key", "parent", "depth", "position", "siblingCount", "expanded", "childState",
    "childCount", "visibleDescendantCount", "selected", "object",
  ]

  /// The names of all possible fields.
  package static let allFieldNames =
    fieldNames + ["section", "sectionRow", "matched"]

  /// The names of this row's fields, in the order of the contract.
  package var fieldNames: [String] {
    ["index", "key", "parent", "depth"] + (section == nil ? [] : ["section", "sectionRow"])
      + [
        "position", "siblingCount", "expanded", "childState", "childCount",
        "visibleDescendantCount", "selected",
      ] + (matched == nil ? [] : ["matched"]) + ["object"]
  }

  /// Returns the value of a field as JSON text; nil if the row has no such field.
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

  /// Returns the row as JSON, with the named fields or all.
  package func json(fields: [String]? = nil) -> [UInt8] {
    JSONText.object((fields ?? fieldNames).compactMap { name in json(name).map { (name, $0) } })
  }

  /// Returns the fields of an `update` that differ from another state of the row.
  package func changedFields(since old: ModelRow) -> Set<String> {
    let reported = ["object", "expanded", "childState", "childCount", "selected", "matched"]
    return Set(reported.filter { json($0) != old.json($0) })
  }
}

extension ModelRow: CustomStringConvertible {
  /// The row as a line of an outline, for failure messages.
  package var description: String {
    let mark = childState == "leaf" ? "•" : (expanded ? "▾" : "▸")
    let lazy = childState == "leaf" || childState == "loaded" ? "" : " (\(childState))"
    let marks = (selected ? " selected" : "") + (matched == true ? " matched" : "")
    let place = section.map { "[\($0)] " } ?? ""
    return place + String(repeating: "  ", count: depth)
      + "\(mark) \(key)\(lazy)\(marks) \(object.text)"
  }
}
