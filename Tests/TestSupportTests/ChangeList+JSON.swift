import TestSupport

extension ChangeList {
  /// The change list as JSON of the contract.
  var json: [UInt8] { JSONText.object(members) }

  /// The members of the change list.
  var members: [(String, [UInt8])] {
    var members = [
      ("session", JSONText.string("s")), ("previousRevision", JSONText.number(previousRevision)),
      ("revision", JSONText.number(revision)), ("treeRevision", JSONText.number(treeRevision)),
      ("rowCount", JSONText.number(rowCount)), ("nodeCount", JSONText.number(nodeCount)),
    ]
    if let origin { members.append(("origin", JSONText.string(origin))) }
    return members + [
      ("format", JSONText.string(format.rawValue))
    ]
      + (format == .none ? [] : [("changes", JSONText.array(entries.map { $0.json(format) }))])
      + [("unloaded", JSONText.array(unloaded.map(JSONText.key)))]
  }
}

extension ChangeList.Entry {
  fileprivate func json(_ format: ChangeList.Format) -> [UInt8] {
    var members = [("type", JSONText.string(kind.rawValue))]
    if let key { members.append(("key", JSONText.key(key))) }
    if let index { members.append(("index", JSONText.number(index))) }
    if let newIndex { members.append(("newIndex", JSONText.number(newIndex))) }
    if count > 1 { members.append(("count", JSONText.number(count))) }
    if let depth { members.append(("depth", JSONText.number(depth))) }
    if let parent { members.append(("parent", parent.bytes)) }
    if let section { members.append(("section", JSONText.key(section))) }
    if let sectionRow { members.append(("sectionRow", JSONText.number(sectionRow))) }
    if let fromSection { members.append(("fromSection", JSONText.key(fromSection))) }
    if let fromSectionRow { members.append(("fromSectionRow", JSONText.number(fromSectionRow))) }
    if let sectionIndex { members.append(("sectionIndex", JSONText.number(sectionIndex))) }
    if let fromSectionIndex {
      members.append(("fromSectionIndex", JSONText.number(fromSectionIndex)))
    }
    if let from { members.append(("from", JSONText.key(from))) }
    if let to { members.append(("to", JSONText.key(to))) }
    if let expanded { members.append(("expanded", JSONText.bool(expanded))) }
    if let fields { members.append(("fields", JSONText.array(fields.map(JSONText.string)))) }
    if let rows {
      let bytes = rows.map(\.bytes)
      members.append(
        format == .rows ? ("row", bytes.first ?? []) : ("rows", JSONText.array(bytes))
      )
    }
    return JSONText.object(members)
  }
}
