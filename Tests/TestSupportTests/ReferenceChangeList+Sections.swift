import TestSupport

extension ReferenceChangeList {
  /// The entries of sections, in order.
  var sectionEntries: [ChangeList.Entry] {
    let (old, new) = (sectionsBefore.map(\.identity), sectionsAfter.map(\.identity))
    let deletes = sectionsBefore.reversed().filter { !new.contains($0.identity) }
      .map { section in
        var entry = entry(.deleteSection, section.name, index: section.index)
        let livesOn = after.contains { $0.sectionIdentity == section.identity }
        if new.isEmpty, livesOn { entry.to = "" }
        return entry
      }
    let staying = longest(new.compactMap(old.firstIndex)).map { old[$0] }
    let arrivals = sectionsAfter.compactMap { section -> ChangeList.Entry? in
      guard !staying.contains(section.identity) else { return nil }
      let index = old.firstIndex(of: section.identity)
      let kind = index == nil ? ChangeList.Kind.insertSection : .moveSection
      return entry(kind, section.name, index: index, newIndex: section.index)
    }
    return deletes + arrivals + sectionUpdates
  }

  private var sectionUpdates: [ChangeList.Entry] {
    sectionsAfter.compactMap { new in
      guard let old = sectionsBefore.first(where: { $0.identity == new.identity }) else {
        return nil
      }
      let fields =
        (old.name == new.name ? [] : ["name"]) + (old.expanded == new.expanded ? [] : ["expanded"])
      guard !fields.isEmpty else { return nil }
      var update = entry(.updateSection, new.name, index: old.index, newIndex: new.index)
      update.fields = fields
      update.expanded = new.expanded
      update.from = old.name == new.name ? nil : old.name
      return update
    }
  }

  private func entry(
    _ kind: ChangeList.Kind,
    _ name: ModelKey,
    index: Int? = nil,
    newIndex: Int? = nil
  ) -> ChangeList.Entry {
    var entry = ChangeList.Entry(kind, index: index, newIndex: newIndex)
    entry.section = name
    return entry
  }

  private func longest(_ places: [Int]) -> [Int] {
    var best: [[Int]] = []
    for place in places {
      let before = best.filter { ($0.last ?? 0) < place }.max { $0.count < $1.count }
      best.append((before ?? []) + [place])
    }
    return best.max { $0.count < $1.count } ?? []
  }
}
