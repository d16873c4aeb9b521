internal import Synchronization
package import TreeDomain

// The generations, the reason for the last one, and the revisions that need another one.
extension SQLiteStorage {
  /// Returns the generations of what is stored; see ``TreeStorage``.
  ///
  /// - Throws: ``StorageError`` if they cannot be read.
  package func generations() throws(StorageError) -> Generations {
    if let opened { return opened.generations }
    return try read { connection throws(StorageError) in
      Generations(try StoredGeneration.all(in: &connection))
    }
  }

  /// Returns the reason for which opening this storage began a generation; nil if it began none.
  ///
  /// For storage that is only read: the reason for which the next start will begin one.
  ///
  /// - Throws: ``StorageError`` if that cannot be read.
  package func generationCause() throws(StorageError) -> GenerationCause? {
    if let opened { return opened.cause }
    let marker = OpenedGenerations.markerPath(in: path)
    var found = try MarkerInPlace(marker, DataFolder.origin)
    while true {
      let cause = try cause(of: found)
      let next = try MarkerInPlace(marker, DataFolder.origin)
      // A service that starts or stops meanwhile may replace the marker.
      if cause == nil || next.identity == found.identity { return cause }
      found = next
    }
  }

  private func cause(of marker: MarkerInPlace) throws(StorageError) -> GenerationCause? {
    let origin = DataFolder.origin(ofFile: path + "/" + Self.fileName)
    return try read { connection throws(StorageError) in
      try connection.findNewestBundle()
      let (commits, stored) = (connection.newestBundle, try MarkerIdentity.all(in: &connection))
      guard let last = try StoredGeneration.all(in: &connection).last else {
        return marker.isOfNewFolder ? nil : .restoredBackup
      }
      if let origin, !last.isLast(in: origin, marker, stored, commits: commits) {
        return .restoredBackup
      }
      return marker.contents?.isLost(in: last) == true ? .lostChanges : nil
    }
  }

  /// Notes that changes were lost whose revisions may have been shown.
  ///
  /// If the marker cannot be written, nothing happens.
  package func recordLoss(entry number: Int, revision: Int) {
    guard let opened else { return }
    let highest = opened.generations.bound(entry: number, revision: revision)
    try? opened.marker?.recordLoss(in: opened.number, block: Generations.block(of: highest))
  }

  /// Stores a pending generation, and records the revisions of the changes in the marker.
  ///
  /// - Throws: ``StorageError`` if either cannot be written.
  func reserve(_ changes: [StorageChange]) throws(StorageError) {
    guard let opened else { return }
    if opened.cause != nil {
      try writer.withLock { connection throws(StorageError) in
        try OpenedGenerations.store(&connection, opened.marker)
      }
    }
    guard let marker = opened.marker else { return }
    var highest = opened.generations.current
    for case .append(let entry, _) in changes {
      let bound = opened.generations.bound(entry: entry.number, revision: entry.revision)
      highest = max(highest, bound)
    }
    try marker.reserve(block: Generations.block(of: highest))
  }
}

/// A reason to begin a new generation; see ``Generations``.
package enum GenerationCause: Sendable {
  /// The database is not the last one of its folder.
  case restoredBackup
  /// The disk did not take changes that readers may have seen.
  case lostChanges
}
