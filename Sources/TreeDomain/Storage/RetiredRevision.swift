/// The last revision of a deleted tree.
///
/// A new tree under the id of a deleted one has the same URL, where entity tags and conditions name
/// revisions (RFC 9110, sections 8.8.1 and 13.1). So its revisions continue after those of the
/// deleted tree. Any number of ids may be deleted, so ids share a fixed number of slots. The
/// revisions of a new tree continue after the largest one in its slot.
package struct RetiredRevision: Equatable, Sendable {
  /// The number of slots.
  package static let slotCount = 1 << 16

  /// The slot of the tree's id.
  package var slot: Int
  /// The revision.
  package var revision: Revision

  /// Makes a value from its slot and revision.
  package init(slot: Int, revision: Revision) {
    self.slot = slot
    self.revision = revision
  }

  /// Returns the slot of an id; `nil` for a generated id, which is never used again.
  ///
  /// The function must never change, because slots are stored. It is FNV-1a with both halves of the
  /// hash combined (datatracker.ietf.org/doc/draft-eastlake-fnv).
  package static func slot(of tree: TreeID) -> Int? {
    guard !tree.isGenerated else { return nil }
    let hash = tree.bytes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return Int(hash >> 16 ^ hash & 0xFFFF)
  }
}
