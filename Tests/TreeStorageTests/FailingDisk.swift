import CFaults

/// A disk that fails, of which there is one at a time.
enum FailingDisk {
  /// What may fail.
  enum Call: CaseIterable {
    case sync
    /// Of what is to be written a part is.
    case write
  }

  /// From now on such calls fail for a file, or for all of a folder.
  static func fail(_ call: Call, of path: String, with number: Int32) {
    let calls = call == .sync ? cfaults_syncs : cfaults_writes
    unsafe cfaults_fail(Int32(calls), path, number)
  }

  /// No call fails any more.
  static func mend() { unsafe cfaults_fail(0, "", 0) }

  /// Does something while a file, or none of a folder, can be synced.
  ///
  /// - Returns: How many syncs failed.
  static func whileSyncsFail(
    of path: String,
    with number: Int32,
    _ body: () throws -> Void
  ) rethrows -> Int {
    fail(.sync, of: path, with: number)
    defer { mend() }
    try body()
    return Int(cfaults_failures())
  }
}
