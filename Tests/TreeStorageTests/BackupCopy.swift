import Foundation
import TestSupport

@testable import TreeStorage

/// Copies of a database, made as the page "Backups" says.
enum BackupCopy {
  /// The ways to restore a copy.
  enum Way: CaseIterable {
    /// Into an empty folder.
    case intoEmptyFolder
    /// In place of the file, as with `mv`.
    case over
    /// Into the same file, as with `cp`.
    case into
  }

  /// Copies the database of a folder, which may be in use.
  static func make(of folder: TemporaryFolder, at path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    var connection = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
    try connection.run("VACUUM INTO '\(path)'")
  }

  /// Restores a copy in a folder that is not in use.
  ///
  /// - Returns: The folder of the restored database.
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
