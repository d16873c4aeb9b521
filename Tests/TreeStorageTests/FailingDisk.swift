import CFaults

/// A disk that fails, of which there is one at a time.
enum FailingDisk {
  /// Does something while a file, or none of a folder, can be synced.
  ///
  /// - Returns: How many syncs failed.
  static func whileSyncsFail(
    of path: String,
    with number: Int32,
    _ body: () throws -> Void
  ) rethrows -> Int {
    unsafe cfaults_fail_syncs(path, number)
    defer { unsafe cfaults_fail_syncs("", 0) }
    try body()
    return Int(cfaults_failed_syncs())
  }
}
