import TreeEngine

// What was removed gives its room back.
extension TreeManager {
  /// Whether so much of what the tree holds is in no use that a ``compact()`` is worth its while.
  ///
  /// - Complexity: O(1).
  var wantsCompaction: Bool { !hasEnded && tree.wantsCompaction }

  /// Gives back what the tree holds and does not use, and lets everything that names nodes between
  /// transactions follow them to their new ids.
  ///
  /// - Complexity: as ``SizedTree/compact()``.
  mutating func compact() {
    copying.changes += 1
    let new = tree.compact()
    guard let now = sections.renumbered(new) else {
      preconditionFailure("a section is no node of the tree")
    }
    sections = now
    namedSections = now.nodes
    // Sections that the tree has forgotten belong to revisions of which nothing can be told.
    let known = formerSections.lastIndex { $0.sections.renumbered(new) == nil }.map { $0 + 1 } ?? 0
    formerSections = formerSections[known...].compactMap { former in
      former.sections.renumbered(new).map { FormerSections(commit: former.commit, sections: $0) }
    }
    sorted.renumber(new)
    asleep.renumber(new)
    countUsage()
  }
}
