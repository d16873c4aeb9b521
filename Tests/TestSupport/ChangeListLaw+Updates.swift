extension ChangeListLaw {
  /// Rule 4: updates name exactly the changed fields of rows that remain.
  var updateViolations: [String] {
    var reported: [Int: Set<String>] = [:]
    var found: [String] = []
    for entry in list.entries where entry.kind == .update {
      guard let index = entry.index, let newIndex = entry.newIndex else { continue }
      let fields = entry.fields ?? []
      if fields.isEmpty || Set(fields).count < fields.count {
        found.append("the update of \(name(index)) names no field, or one twice")
      }
      for offset in 0..<entry.count {
        let identity = before[index + offset].identity
        if identity != after[newIndex + offset].identity {
          found.append("the update of \(name(index + offset)) has another row's newIndex")
        }
        if reported.updateValue(Set(fields), forKey: identity) != nil {
          found.append("\(name(index + offset)) is updated twice")
        }
      }
    }
    for (index, old) in before.enumerated() {
      guard let newIndex = newIndex[old.identity] else { continue }
      let expected = after[newIndex].changedFields(since: old)
      let fields = reported[old.identity] ?? []
      if fields != expected {
        found.append("\(name(index)) updates \(fields.sorted()), not \(expected.sorted())")
      }
    }
    return found
  }
}
