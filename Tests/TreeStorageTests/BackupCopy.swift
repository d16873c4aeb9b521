import Foundation
import TestSupport
import Testing

@testable import TreeStorage

/// A copy of a data folder, whose database was copied as the page "Backups" says.
struct BackupCopy {
  private let file: [UInt8]
  private let marker: [UInt8]?

  /// The ways to restore a copy.
  enum Way: CaseIterable {
    /// Into an empty folder.
    case intoEmptyFolder
    /// In place of the file, as with `mv`.
    case over
    /// Into the same file, as with `cp`.
    case into
    /// Into the same files, the marker too, as with `cp -a copy/* data/`.
    case wholeFolder
    /// Into the same file, beside a marker that was removed.
    case besideNoMarker
    /// Into the same file, beside a marker that was emptied.
    case besideEmptyMarker
    /// Into the same file, beside a marker that was overwritten.
    case besideDamagedMarker

    /// True if the copy is in the same file as what it replaces.
    var isInSameFile: Bool { self != .intoEmptyFolder && self != .over }
  }

  /// Copies a folder, which may be in use.
  init(of folder: TemporaryFolder) throws {
    let name = "backup"
    try Self.make(of: folder, at: "\(folder.path)/\(name)")
    file = try #require(folder.bytes(of: name))
    marker = folder.bytes(of: GenerationMarker.name)
    try folder.write(nil, to: name)
  }

  /// Copies the database of a folder, which may be in use.
  static func make(of folder: TemporaryFolder, at path: String) throws {
    try? FileManager.default.removeItem(atPath: path)
    var connection = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
    try connection.run("VACUUM INTO '\(path)'")
  }

  /// Restores the copy in a folder that is not in use.
  ///
  /// - Returns: The folder of the restored database.
  func put(_ way: Way, _ folder: TemporaryFolder) throws -> TemporaryFolder {
    let name = SQLiteStorage.fileName
    switch way {
    case .intoEmptyFolder:
      let empty = try TemporaryFolder()
      try empty.write(file, to: name)
      return empty
    case .over:
      try folder.write(file, to: "copy")
      try FileManager.default.removeItem(atPath: "\(folder.path)/\(name)")
      try FileManager.default.moveItem(
        atPath: "\(folder.path)/copy",
        toPath: "\(folder.path)/\(name)"
      )
      return folder
    case .into: break
    case .wholeFolder:
      try Self.overwrite(GenerationMarker.name, of: folder, with: try #require(marker))
    case .besideNoMarker: try folder.write(nil, to: GenerationMarker.name)
    case .besideEmptyMarker: try Self.overwrite(GenerationMarker.name, of: folder, with: [])
    case .besideDamagedMarker:
      let damaged = [UInt8](repeating: 0x5A, count: try #require(marker).count)
      try Self.overwrite(GenerationMarker.name, of: folder, with: damaged)
    }
    try Self.overwrite(name, of: folder, with: file)
    return folder
  }

  /// Writes bytes into the file that has a name, as `cp` does.
  private static func overwrite(
    _ name: String,
    of folder: TemporaryFolder,
    with bytes: [UInt8]
  ) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: "\(folder.path)/\(name)"))
    try file.truncate(atOffset: 0)
    try file.write(contentsOf: Data(bytes))
    try file.close()
  }
}
