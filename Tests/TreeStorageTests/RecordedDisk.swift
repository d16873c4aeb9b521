import CFaults
import TestSupport
import Testing

/// A folder of which everything is known that was written to it.
enum RecordedDisk {
  /// Does something while what happens to the files of a folder is written down; one at a time.
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

  /// The number that says that what follows may be there or not.
  static let doubt = 1 << 40

  /// Writes a number down among what happens.
  static func note(_ number: Int) { cfaults_mark(UInt64(number)) }
}
