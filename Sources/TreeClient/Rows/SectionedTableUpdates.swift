/// A change list as updates of a table or a collection with sections.
///
/// They follow the rules of `performBatchUpdates` in UIKit, as ``TableUpdates`` does. Deletions,
/// reloads and the sources of moves are places before the updates. Insertions and the targets of
/// moves are places after them. A section is never reloaded, because rows in it may change at the
/// same time. Configure its header again after the updates.
public struct SectionedTableUpdates: Sendable, Hashable {
  /// The place of a row.
  public typealias Place = SectionPlaces.Place

  /// A row that moves.
  public struct Move: Sendable, Hashable {
    /// The place before.
    public var from: Place
    /// The place after.
    public var to: Place
  }

  /// Deleted sections, by their indexes before, descending.
  public var deletedSections: [Int] = []
  /// Inserted sections, by their indexes after, ascending.
  public var insertedSections: [Int] = []
  /// Moved sections, ascending by their indexes after.
  public var movedSections: [TableUpdates.Move] = []
  /// Sections whose header changed, by their indexes after.
  public var reconfiguredSections: [Int] = []
  /// Deleted rows, by their places before.
  public var deletes: [Place] = []
  /// Inserted rows, by their places after.
  public var inserts: [Place] = []
  /// Rows that moved on their own, not with their section.
  public var moves: [Move] = []
  /// Rows that changed and did not move, by their places before.
  public var reloads: [Place] = []
  /// Rows that moved, by their places after.
  ///
  /// Their depth and other members may have changed.
  public var reconfigures: [Place] = []
}

extension ChangeList {
  /// The updates of a table that shows the rows in sections.
  ///
  /// A tree without sections has a single one without a name here.
  ///
  /// - Precondition: The request had `sections`, and the `format` of the list is not `none`.
  /// - Complexity: O(*n*), with the number *n* of rows that the list names.
  public var sectionedTableUpdates: SectionedTableUpdates {
    var updates = SectionedTableUpdates()
    for change in changes {
      switch change.kind {
      case .deleteSection: updates.deletedSections.append(change.index)
      case .insertSection: updates.insertedSections.append(change.newIndex)
      case .moveSection:
        updates.movedSections.append(.init(from: change.index, to: change.newIndex))
        updates.reconfiguredSections.append(change.newIndex)
      case .updateSection: updates.reconfiguredSections.append(change.newIndex)
      case .delete: updates.deletes += change.oldPlaces.reversed()
      case .insert: updates.inserts += change.newPlaces
      case .move:
        updates.moves += zip(change.oldPlaces, change.newPlaces).map { .init(from: $0, to: $1) }
        updates.reconfigures += change.newPlaces
      case .update: break
      }
    }
    let moved = Set(updates.moves.map(\.from))
    for change in changes where change.kind == .update {
      updates.reloads += change.oldPlaces.filter { !moved.contains($0) }
    }
    return updates
  }
}

extension Change {
  fileprivate var oldPlaces: [SectionPlaces.Place] { run(from: places?.old) }

  fileprivate var newPlaces: [SectionPlaces.Place] { run(from: places?.new) }

  /// Returns the places of a run of rows; none if the request had no `sections`.
  private func run(from first: SectionPlaces.Place?) -> [SectionPlaces.Place] {
    guard let first else { return [] }
    return (0..<count).map { .init(section: first.section, row: first.row + $0) }
  }
}
