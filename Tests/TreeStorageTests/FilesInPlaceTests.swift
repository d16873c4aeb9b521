import Foundation
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Commits to a file that the next start would not find are refused.
struct FilesInPlaceTests {
  private let folder: TemporaryFolder
  private let storage: SQLiteStorage

  init() throws {
    folder = try TemporaryFolder()
    storage = try SQLiteStorage(folder: folder.path)
    try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: TreeNumber(1))])
  }

  private static let names = [SQLiteStorage.fileName, SQLiteStorage.fileName + "-wal"]

  private func url(_ name: String) -> URL { URL(filePath: folder.path).appending(path: name) }

  /// Expects that commits of one or more changes are refused, and that reads succeed.
  private func expectRefusals(_ name: String) throws {
    let one = [StorageChange.append(sample(2), to: TreeNumber(1))]
    for changes in [one, one + [.makeTree(sample(2, "b"))]] {
      #expect { try storage.commit(changes) } throws: { error in
        guard case .failed(let reason) = error as? StorageError else { return false }
        return reason.contains("\(name) was moved, removed or replaced")
      }
    }
    #expect(throws: StorageError.self) { try storage.probe() }
    #expect(try storage.allEntries(of: 1) == [sample(1)])
  }

  @Test(arguments: names)
  func `commits fail while a file is moved, and succeed once it is back`(
    name: String
  ) throws {
    let elsewhere = url("elsewhere")
    try FileManager.default.moveItem(at: url(name), to: elsewhere)
    try expectRefusals(name)
    try FileManager.default.moveItem(at: elsewhere, to: url(name))
    try storage.probe()
    try storage.commit([.append(sample(2), to: TreeNumber(1))])
    #expect(try storage.allEntries(of: 1) == [sample(1), sample(2)])
  }

  @Test(arguments: names)
  func `commits fail if another file has the same name`(name: String) throws {
    let original = url("original")
    try FileManager.default.moveItem(at: url(name), to: original)
    try FileManager.default.copyItem(at: original, to: url(name))
    try expectRefusals(name)
  }

  @Test func `commits fail while the folder is renamed`() throws {
    let other = URL(filePath: folder.path + "-other")
    try FileManager.default.moveItem(at: URL(filePath: folder.path), to: other)
    try expectRefusals(SQLiteStorage.fileName)
    try FileManager.default.moveItem(at: other, to: URL(filePath: folder.path))
    try storage.commit([.append(sample(2), to: TreeNumber(1))])
  }
}
