import Foundation
import TestSupport

@testable import TreeStorage

/// Copies of a database, made as "Backups" says.
enum BackupCopy {
  /// The ways to put a copy in the place of a database.
  enum Way: CaseIterable {
    /// Into a folder in which nothing is.
    case intoEmptyFolder
    /// In the place of the file, as `mv` puts it.
    case over
    /// Into the same file, as `cp` writes it.
    case into
  }

  /// Copies the database of a folder while it may be in use.
  static func make(of folder: TemporaryFolder, at path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    var connection = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
    try connection.run("VACUUM INTO '\(path)'")
  }

  /// Puts a copy in the place of the database of a folder that nobody has open.
  ///
  /// - Returns: The folder in which the database is then.
  static func put(
    _ copy: [UInt8],
    _ way: Way,
    _ folder: TemporaryFolder
  ) throws -> TemporaryFolder {
    switch way {
    case .intoEmptyFolder:
      let empty = try TemporaryFolder()
      try empty.write(copy, to: SQLiteStorage.fileName)
      return empty
    case .over:
      try folder.write(copy, to: "copy")
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(SQLiteStorage.fileName)")
      try FileManager.default.moveItem(
        atPath: "\(folder.path)/copy",
        toPath: "\(folder.path)/\(SQLiteStorage.fileName)"
      )
    case .into:
      let path = "\(folder.path)/\(SQLiteStorage.fileName)"
      let file = try FileHandle(forWritingTo: URL(filePath: path))
      try file.truncate(atOffset: 0)
      try file.write(contentsOf: Data(copy))
      try file.close()
    }
    return folder
  }
}
