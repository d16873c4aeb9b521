import TreeDomain
import TreeEngine

// Freeing the memory of removed nodes.
extension TreeManager {
  /// True if enough memory is unused to make ``compact()`` worthwhile.
  ///
  /// - Complexity: O(1).
  var wantsCompaction: Bool { !hasEnded && tree.wantsCompaction }

  /// Frees unused memory, and updates everything that refers to nodes by id.
  ///
  /// Small reads meanwhile read a copy, if there is memory for it.
  ///
  /// - Complexity: That of ``SizedTree/compact(passing:)``.
  mutating func compact() {
    if usage.memory.hasRoom(for: held.bytes) { publishCopy(before: WorkSize(nodes: nodeCount)) }
    copying.changes += 1
    let new = tree.compact { [meter] in meter.pass($0) }
    guard let now = sections.renumbered(new) else {
      preconditionFailure("a section is no node of the tree")
    }
    sections = now
    namedSections = now.nodes
    // Sections that the engine has forgotten belong to revisions before its history.
    let known = formerSections.lastIndex { $0.sections.renumbered(new) == nil }.map { $0 + 1 } ?? 0
    formerSections = formerSections[known...].compactMap { former in
      former.sections.renumbered(new).map { sections in
        var renumbered = former
        renumbered.sections = sections
        return renumbered
      }
    }
    sorted.renumber(new)
    asleep.renumber(new)
    countUsage()
  }
}
