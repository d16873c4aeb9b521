/// The last revision of a tree that was deleted.
///
/// A tree made under the id of one that was deleted is at the same place, where tags and conditions
/// name revisions (RFC 9110, sections 8.8.1 and 13.1); so its revisions go on behind those of the
/// former one. There may be any number of ids, and the revision of each need not be known: many of
/// them share a slot, and what goes on behind one of a slot goes on behind all.
public struct RetiredRevision: Equatable, Sendable {
  /// How many slots there are.
  public static let slotCount = 1 << 16

  /// The slot of the tree's id.
  public var slot: Int
  /// The revision.
  public var revision: Revision

  /// Makes one from its numbers.
  public init(slot: Int, revision: Revision) {
    self.slot = slot
    self.revision = revision
  }

  /// The slot of an id; `nil` for one that the service made, which never comes again.
  ///
  /// The same for all time, as it is stored: FNV-1a, both halves in one
  /// (datatracker.ietf.org/doc/draft-eastlake-fnv).
  public static func slot(of tree: TreeID) -> Int? {
    guard !tree.isGenerated else { return nil }
    let hash = tree.bytes.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return Int(hash >> 16 ^ hash & 0xFFFF)
  }
}
