/// A change list as updates of a table or a collection with one section.
///
/// They follow the rules of `performBatchUpdates` in UIKit and AppKit. Deletions, reloads and the
/// sources of moves are indexes before the updates. Insertions and the targets of moves are indexes
/// after them. No index is in two roles. To reload a row that moves raises an exception, so
/// configure such rows again after the updates.
public struct TableUpdates: Sendable, Hashable {
  /// A row that moves.
  public struct Move: Sendable, Hashable {
    /// The index before.
    public var from: Int
    /// The row's index after the updates.
    public var to: Int
  }

  /// Deleted rows, by their indexes before, descending.
  public var deletes: [Int] = []
  /// Inserted rows, by their indexes after, ascending.
  public var inserts: [Int] = []
  /// Moved rows, ascending by their indexes after.
  public var moves: [Move] = []
  /// Rows that changed and did not move, by their indexes before, ascending.
  public var reloads: [Int] = []
  /// Moved rows, by their indexes after, ascending.
  ///
  /// Their depth and other members may have changed.
  public var reconfigures: [Int] = []
  /// The keys of those rows, as far as the list has them.
  ///
  /// Lists in the format `rows` have all keys.
  public var reconfiguredKeys: [String] = []

  /// True if there are no updates.
  public var isEmpty: Bool {
    deletes.isEmpty && inserts.isEmpty && moves.isEmpty && reloads.isEmpty
  }
}

extension ChangeList {
  /// The updates of a table that shows all rows in one section.
  ///
  /// - Precondition: `format` is not `none`.
  /// - Complexity: O(*n*), with the number *n* of rows that the list names.
  public var tableUpdates: TableUpdates {
    var updates = TableUpdates()
    for change in changes {
      let (old, new) = (change.index, change.newIndex)
      switch change.kind {
      case .delete: updates.deletes += (old..<old + change.count).reversed()
      case .insert: updates.inserts += new..<new + change.count
      case .move:
        updates.moves += (0..<change.count).map { .init(from: old + $0, to: new + $0) }
        updates.reconfigures += new..<new + change.count
        if let key = change.key { updates.reconfiguredKeys.append(key) }
      case .update, .deleteSection, .insertSection, .moveSection, .updateSection: break
      }
    }
    let moved = Set(updates.moves.map(\.from))
    for change in changes where change.kind == .update {
      updates.reloads += (change.index..<change.index + change.count).filter { !moved.contains($0) }
    }
    updates.reloads.sort()
    return updates
  }
}
