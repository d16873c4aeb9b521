extension Setting {
  /// The settings of storage.
  static let storage = [
    text(
      "storage",
      \.storage,
      "sqlite (in data), sqlite:FOLDER, postgresql://…, or memory, which ends with the process"
    ),
    text(
      "advertise",
      \.advertise,
      "host:port at which other instances on the same database reach this one; empty to be alone"
    ),
    text(
      "clusterSecretFile",
      \.clusterSecretFile,
      "file with the secret that all instances on a database share; needed with advertise"
    ),
    text(
      "data",
      \.data,
      "folder of the database; created if it does not exist"
    ),
    integer(
      "minFreeBytes",
      \.minFreeBytes,
      0...1_099_511_627_776,
      "free disk space in bytes below which only deletions are accepted; 0 for none"
    ),
    integer(
      "idleTreeSeconds",
      \.idleTreeSeconds,
      1...31_536_000,
      "time after which an unused stored tree leaves memory, in seconds"
    ),
    integer(
      "idleSessionSeconds",
      \.idleSessionSeconds,
      1...31_536_000,
      "time after which an unused session that nobody follows may sleep, in seconds"
    ),
    integer(
      "maxIdleViewsPerTree",
      \.maxIdleViewsPerTree,
      0...10_000_000,
      "number of unused sessions per tree that stay awake, the last used ones"
    ),
    integer(
      "snapshotBytes",
      \.snapshotBytes,
      4_096...1_099_511_627_776,
      "size of changes after which a snapshot of a tree is written, in bytes"
    ),
    integer(
      "snapshotEntries",
      \.snapshotEntries,
      1...1_000_000_000,
      "number of changes after which a snapshot of a tree is written"
    ),
    integer(
      "snapshotWorkMilliseconds",
      \.snapshotWorkMilliseconds,
      1...86_400_000,
      "milliseconds of work on changes after which a tree gets a snapshot; more if it is large"
    ),
    integer(
      "maxUnwrittenBytes",
      \.maxUnwrittenBytes,
      1_048_576...1_099_511_627_776,
      "maximum size of changes that wait to be written, in bytes"
    ),
  ]
}
