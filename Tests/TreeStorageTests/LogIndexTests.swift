import Foundation
import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// The index of the log is mapped into memory: who cuts it must not end the process.
struct LogIndexTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func cutIndex(to length: Int) throws {
    let path = "\(folder.path)/\(SQLiteStorage.fileName)\(SQLiteStorage.indexSuffix)"
    let index = try FileHandle(forWritingTo: URL(filePath: path))
    try index.truncate(atOffset: UInt64(length))
    try index.close()
  }

  @Test(arguments: [0, 1, 100, 4_096, 32_768])
  func `what is committed and read stays right where it was cut`(length: Int) throws {
    let storage = try SQLiteStorage(folder: folder.path)
    try storage.commit([.makeTree(sample(1, "a"))])
    // The log has so many pages that its index has two parts.
    try storage.commit([.append(sample(1, bytes: 20_000_000), to: TreeNumber(1))])
    for number in 2...6 {
      try cutIndex(to: length)
      if number.isMultiple(of: 2) {
        #expect(try storage.allEntries(of: 1).count == number - 1)
        try cutIndex(to: length)
      }
      try storage.commit([.append(sample(number, bytes: 100), to: TreeNumber(1))])
      let reader = try SQLiteStorage(reading: folder.path)
      #expect(try reader.allEntries(of: 1).count == number)
    }
    try cutIndex(to: length)
    storage.tidy()
    try cutIndex(to: length)
    storage.copyBeforeClosing()
    try cutIndex(to: length)
    storage.close()
    #expect(try storage.allEntries(of: 1).count == 6 && storage.findDamage() == [])
  }
}
