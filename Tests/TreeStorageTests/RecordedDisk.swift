import CFaults
import TestSupport
import Testing

/// A folder to which all writes are recorded.
enum RecordedDisk {
  /// Runs a closure while all writes to a folder are recorded.
  ///
  /// Only one recording may run at a time.
  static func record(_ folder: TemporaryFolder, _ body: () throws -> Void) throws -> DiskRecord {
    let traces = try TemporaryFolder()
    try #require(unsafe cfaults_record(folder.path, "\(traces.path)/trace") != 0)
    var isWhole = false
    do {
      defer { isWhole = cfaults_end_record() != 0 }
      try body()
    }
    try #require(isWhole, "not all was written down")
    return DiskRecord(try #require(traces.bytes(of: "trace")))
  }

  /// A mark after which the commits that follow may be lost or not.
  static let doubt = 1 << 40

  /// Adds a mark to the recording.
  static func record(_ number: Int) { cfaults_mark(UInt64(number)) }
}
