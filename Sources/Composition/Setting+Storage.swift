extension Setting {
  /// Where trees and sessions are kept.
  static let storage = [
    text(
      "storage",
      \.storage,
      "sqlite (in data), sqlite:FOLDER, postgresql://…, or memory, which ends with the process"
    ),
    text(
      "data",
      \.data,
      "folder that trees and sessions are kept in; it is made where there is none"
    ),
    integer(
      "minFreeBytes",
      \.minFreeBytes,
      0...1_099_511_627_776,
      "bytes of the disk kept for deleting: with less left, nothing else is taken; 0 = none"
    ),
    integer(
      "idleTreeSeconds",
      \.idleTreeSeconds,
      1...31_536_000,
      "seconds after which a tree that nobody uses leaves memory, if it is stored"
    ),
    integer(
      "idleSessionSeconds",
      \.idleSessionSeconds,
      1...31_536_000,
      "seconds after which a session of a tree in use may sleep, if nobody uses or follows it"
    ),
    integer(
      "maxIdleViewsPerTree",
      \.maxIdleViewsPerTree,
      0...10_000_000,
      "sessions of a tree that stay awake though nobody uses them, those used last"
    ),
    integer(
      "snapshotBytes",
      \.snapshotBytes,
      4_096...1_099_511_627_776,
      "bytes of changes after which a tree is written down whole"
    ),
    integer(
      "snapshotEntries",
      \.snapshotEntries,
      1...1_000_000_000,
      "changes, whatever their size, after which a tree is written down whole"
    ),
    integer(
      "snapshotWorkMilliseconds",
      \.snapshotWorkMilliseconds,
      1...86_400_000,
      "milliseconds of work on changes after which a tree is written down whole; a large one later"
    ),
    integer(
      "maxUnwrittenBytes",
      \.maxUnwrittenBytes,
      1_048_576...1_099_511_627_776,
      "bytes of changes that may wait to be written"
    ),
  ]
}
