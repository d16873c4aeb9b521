/// The updates of a table or a collection with sections that a change list comes to.
///
/// They follow the rules of `performBatchUpdates` in UIKit, as ``TableUpdates`` does. Deletions,
/// reloads and the sources of moves are places before, insertions and the targets of moves places
/// after. A section is never reloaded, as rows in it may change at the same time: its header is to
/// be configured again when the updates have been made.
public struct SectionedTableUpdates: Sendable, Hashable {
  /// A place of a row.
  public typealias Place = SectionPlaces.Place

  /// A row that moves.
  public struct Move: Sendable, Hashable {
    /// The place before.
    public var from: Place
    /// The place after.
    public var to: Place
  }

  /// Sections that are gone, by their indexes before, descending.
  public var deletedSections: [Int] = []
  /// Sections that are new, by their indexes after, ascending.
  public var insertedSections: [Int] = []
  /// Sections that moved, ascending by their indexes after.
  public var movedSections: [TableUpdates.Move] = []
  /// Sections whose header reads differently, by their indexes after.
  public var reconfiguredSections: [Int] = []
  /// Rows that are gone.
  public var deletes: [Place] = []
  /// Rows that are new.
  public var inserts: [Place] = []
  /// Rows that moved, by themselves and not with their section.
  public var moves: [Move] = []
  /// Rows that read differently in their places, by their places before.
  public var reloads: [Place] = []
  /// Rows that moved, by their places after: their depth may be another one, and the rest of them.
  public var reconfigures: [Place] = []
}

extension ChangeList {
  /// The updates of a table that shows the rows in sections.
  ///
  /// A tree without sections has one here, without a name.
  ///
  /// - Precondition: The list was asked for with `sections`, and its `format` is not `none`.
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

  /// The places of neighbouring rows, none where the list was asked for without sections.
  private func run(from first: SectionPlaces.Place?) -> [SectionPlaces.Place] {
    guard let first else { return [] }
    return (0..<count).map { .init(section: first.section, row: first.row + $0) }
  }
}
