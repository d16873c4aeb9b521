extension RawJSON {
  /// Applies a JSON merge patch (RFC 7396, section 2).
  ///
  /// Kept members stay in order with their bytes, replaced ones keep their place, and new ones
  /// follow. Member names must be unique.
  package func merged(with patch: RawJSON) -> RawJSON {
    guard case .object(let changes) = patch.kind else { return patch }
    var members: [Member] = []
    if case .object(let own) = kind { members = own }
    for change in changes {
      let place = members.firstIndex { $0.name == change.name }
      if change.value.isNull {
        if let place { members.remove(at: place) }
        continue
      }
      let old = place.map { members[$0].value } ?? .null
      let member = Member(name: change.name, value: old.merged(with: change.value))
      if let place { members[place] = member } else { members.append(member) }
    }
    let text = JSONText.object(members.map { (JSONText.string($0.name), $0.value.bytes) })
    return RawJSON(kind: .object(members), bytes: text)
  }

  /// Returns the value at a JSON Pointer (RFC 6901); nil if there is none.
  package func value(at pointer: String) -> RawJSON? {
    var value: RawJSON? = self
    for part in pointer.split(separator: "/", omittingEmptySubsequences: false).dropFirst() {
      let name = part.replacing("~1", with: "/").replacing("~0", with: "~")
      if let elements = value?.elements {
        value = Int(name).flatMap { elements.indices.contains($0) ? elements[$0] : nil }
      } else {
        value = value?[Array(name.utf8)]
      }
    }
    return value
  }

  /// True if an object in this value has two members of one name.
  package var hasDuplicateNames: Bool {
    switch kind {
    case .null, .bool, .number, .string: false
    case .array(let elements): elements.contains(where: \.hasDuplicateNames)
    case .object(let members):
      Set(members.map(\.name)).count < members.count
        || members.contains(where: \.value.hasDuplicateNames)
    }
  }
}
