import Foundation
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Each start and each stop replaces the marker, so that a copied one is not the folder's.
@Suite(.serialized) struct MarkerTests {
  private let folder: TemporaryFolder
  private let marker: String

  init() throws {
    folder = try TemporaryFolder()
    marker = "\(folder.path)/\(GenerationMarker.name)"
  }

  private func open() throws -> SQLiteStorage { try SQLiteStorage(folder: folder.path) }

  private func write(_ number: Int) throws {
    let storage = try open()
    if number == 1 { try storage.commit([.makeTree(sample(1, "a"))]) }
    try storage.commit([.append(sample(number), to: TreeNumber(1))])
  }

  /// Opens the folder for reading and for writing, and returns the reason for a generation.
  private func cause() throws -> GenerationCause? {
    let expected = try SQLiteStorage(reading: folder.path).generationCause()
    let cause = try open().generationCause()
    #expect(cause == expected, "a reader says the same before")
    #expect(try SQLiteStorage(reading: folder.path).generationCause() == nil)
    return cause
  }

  @Test(arguments: BackupCopy.Way.allCases.filter(\.isInSameFile), [true, false])
  func `a copy made while the folder is in use is noticed after a stop`(
    way: BackupCopy.Way,
    isWritten: Bool
  ) throws {
    try write(1)
    let storage = try open()
    try storage.commit([.append(sample(2), to: TreeNumber(1))])
    let copy = try BackupCopy(of: folder)
    if isWritten { try storage.commit([.append(sample(3), to: TreeNumber(1))]) }
    storage.close()
    _ = consume storage
    _ = try copy.put(way, folder)
    #expect(try cause() == .restoredBackup)
    #expect(try cause() == nil)
  }

  @Test(arguments: BackupCopy.Way.allCases.filter(\.isInSameFile), [1, 2, 3])
  func `a copy made after the process was killed is noticed after later starts`(
    way: BackupCopy.Way,
    starts: Int
  ) throws {
    try write(1)
    let copy = try BackupCopy(of: folder)
    for number in 0..<starts { try write(2 + number) }
    _ = try copy.put(way, folder)
    #expect(try cause() == .restoredBackup)
    #expect(try cause() == nil)
  }

  @Test func `a crash before or after the marker is replaced looks like no restored backup`()
    throws
  {
    try write(1)
    for number in 2...4 {
      let former = "\(folder.path)/former"
      try FileManager.default.linkItem(atPath: marker, toPath: former)
      try write(number)
      // The crash came before the new file got its name.
      try FileManager.default.moveItem(atPath: marker, toPath: marker + ".new")
      try FileManager.default.moveItem(atPath: former, toPath: marker)
      #expect(try cause() == nil)
      #expect(folder.bytes(of: GenerationMarker.name + ".new") == nil)
    }
  }

  @Test func `a damaged row is refused`() throws {
    try write(1)
    do {
      var other = try SQLiteConnection("\(folder.path)/\(SQLiteStorage.fileName)", .writing)
      try other.run("UPDATE markers SET nonce = nonce + 1 WHERE slot = 1")
    }
    #expect { try open() } throws: { "\($0)".contains("markers") }
  }
}
