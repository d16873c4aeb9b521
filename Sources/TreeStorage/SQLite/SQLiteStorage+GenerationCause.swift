public import TreeDomain

// The generations, and the reason for the last one, also of storage that is only read.
extension SQLiteStorage {
  /// Returns the generations of what is stored; see ``TreeStorage``.
  ///
  /// - Throws: ``StorageError`` if they cannot be read.
  public func generations() throws(StorageError) -> Generations {
    if let opened { return opened.generations }
    return try read { connection throws(StorageError) in
      Generations(try connection.storedGenerations())
    }
  }

  /// Returns the reason for which opening this storage began a generation; nil if it began none.
  ///
  /// For storage that is only read: the reason for which the next start will begin one.
  ///
  /// - Throws: ``StorageError`` if that cannot be read.
  public func generationCause() throws(StorageError) -> GenerationCause? {
    if let opened { return opened.cause }
    let marker = Self.markerPath(in: path)
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
      let (commits, stored) = (connection.newestBundle, try connection.storedMarkers())
      guard let last = try connection.storedGenerations().last else {
        return marker.isOfNewFolder ? nil : .restoredBackup
      }
      if let origin, !last.isLast(in: origin, marker, stored, commits: commits) {
        return .restoredBackup
      }
      return marker.contents?.isLost(in: last) == true ? .lostChanges : nil
    }
  }
}
