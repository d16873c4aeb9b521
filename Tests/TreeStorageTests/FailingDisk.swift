import CFaults

/// A disk that fails, of which there is one at a time.
enum FailingDisk {
  /// Does something while no file of a folder can be synced.
  ///
  /// - Returns: How many syncs failed.
  static func whileSyncsFail(
    of folder: String,
    with number: Int32,
    _ body: () throws -> Void
  ) rethrows -> Int {
    unsafe cfaults_fail_syncs(folder, number)
    defer { unsafe cfaults_fail_syncs("", 0) }
    try body()
    return Int(cfaults_failed_syncs())
  }
}
