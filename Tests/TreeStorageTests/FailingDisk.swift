import CFaults

/// A disk that fails on request.
///
/// There is one for the whole process.
enum FailingDisk {
  /// The call that fails.
  enum Call: CaseIterable {
    case sync
    /// Writing only a part.
    case write
  }

  /// Makes a call fail with an error number, for a file or for all files of a folder.
  static func fail(_ call: Call, of path: String, with number: Int32) {
    let calls = call == .sync ? cfaults_syncs : cfaults_writes
    unsafe cfaults_fail(Int32(calls), path, number)
  }

  /// Ends all failures.
  static func mend() { unsafe cfaults_fail(0, "", 0) }

  /// Runs a closure while the files at a path cannot be synced.
  ///
  /// - Returns: The number of syncs that failed.
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
