// The order of siblings, and sections.
extension ModelTree {
  /// Sorts existing siblings. The sort is stable.
  func sort(_ target: ModelSortTarget, by sort: [ModelSort]) throws(ModelRefusal) {
    let parents: [ModelParent] =
      switch target {
      case .everywhere: sections.map(ModelParent.section) + allNodes.map(ModelParent.node)
      case .roots(nil): sections.map(ModelParent.section)
      case .roots(let name?): [.section(try section(name))]
      case .children(let key): [.node(try node(key))]
      }
    for parent in parents { parent.setChildren(parent.children.sorted(by: sort)) }
  }

  // MARK: - Sections

  /// Inserts a section, at the end without an index.
  func insertSection(_ name: ModelKey, index: Int?) throws(ModelRefusal) {
    guard !name.bytes.isEmpty else { throw ModelRefusal(code: .invalidRequest) }
    guard !sections.contains(where: { $0.name == name }) else {
      throw ModelRefusal(code: .duplicateKey)
    }
    let index = index ?? sections.count
    guard index <= sections.count else { throw ModelRefusal(code: .indexOutOfRange) }
    sections.insert(ModelSection(identity: newIdentity(), name: name), at: index)
  }

  /// Removes a section with its roots. If it was the last one, an empty nameless section replaces
  /// it.
  func removeSection(_ name: ModelKey) throws(ModelRefusal) {
    let section = try section(name)
    for root in section.roots { remove(root) }
    // The nameless section of a tree without sections is only emptied.
    if sections.count == 1, section.name == "" { return }
    sections.removeAll { $0 === section }
    if sections.isEmpty { sections.append(ModelSection(identity: newIdentity(), name: "")) }
  }

  /// Moves a section to an index among the others.
  func moveSection(_ name: ModelKey, index: Int) throws(ModelRefusal) {
    let section = try section(name)
    guard index < sections.count else { throw ModelRefusal(code: .indexOutOfRange) }
    sections.removeAll { $0 === section }
    sections.insert(section, at: index)
  }

  /// Renames a section.
  func renameSection(_ name: ModelKey, to new: ModelKey) throws(ModelRefusal) {
    guard !new.bytes.isEmpty else { throw ModelRefusal(code: .invalidRequest) }
    let section = try section(name)
    guard !sections.contains(where: { $0.name == new && $0 !== section }) else {
      throw ModelRefusal(code: .duplicateKey)
    }
    section.name = new
  }
}

extension [ModelNode] {
  /// Returns the nodes sorted by the descriptors. The sort is stable, and without descriptors the
  /// order stays.
  func sorted(by sort: [ModelSort]) -> [ModelNode] {
    let order = indices.sorted { left, right in
      let order = sort.order(self[left].subject, self[right].subject)
      return order == 0 ? left < right : order < 0
    }
    return order.map { self[$0] }
  }
}
