import Foundation
import Glibc

/// A way to leave a program no room for its files, and to give it some again.
enum Shortage: CaseIterable {
  /// Files may not grow beyond a size (setrlimit(2), `RLIMIT_FSIZE`).
  case fileSize
  /// The file system is small; only root can make one.
  case fileSystem

  /// The ways there are on this machine, for whoever runs the tests.
  static var possible: [Shortage] { geteuid() == 0 && canMount ? allCases : [.fileSize] }

  private static let canMount: Bool = {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString).path()
    let files = FileManager.default
    defer { try? files.removeItem(atPath: folder) }
    guard (try? files.createDirectory(atPath: folder, withIntermediateDirectories: true)) != nil,
      mount(folder, "size=64k")
    else { return false }
    return runCommand(["umount", folder])
  }()

  /// Makes a folder fit for the shortage, before a program starts there.
  func prepare(_ folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard self == .fileSystem else { return }
    guard Self.mount(folder, "size=64m") else { throw WireError("no file system is mounted") }
  }

  /// Leaves a program about so much room.
  func begin(in folder: String, of process: Int32, bytes: Int) throws {
    switch self {
    case .fileSize:
      try Self.limitFiles(of: process, bytes: UInt(Self.largestFile(in: folder) + bytes))
    case .fileSystem:
      // What is written meanwhile may take more than was to be left, and no size is below that.
      for _ in 0..<50 {
        let size = try Self.files(in: folder).reduce(0) { $0 + $1 }
        if Self.resize(folder, kibibytes: (size + bytes) / 1_024) { return }
      }
      throw WireError("the file system keeps its size")
    }
  }

  /// Gives it room.
  func end(in folder: String, of process: Int32) throws {
    switch self {
    case .fileSize: try Self.limitFiles(of: process, bytes: .max)
    case .fileSystem:
      guard Self.resize(folder, kibibytes: 65_536) else {
        throw WireError("the file system keeps its size")
      }
    }
  }

  /// Takes the folder away when no program is there any more.
  func remove(_ folder: String) {
    if self == .fileSystem { _ = runCommand(["umount", folder]) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func limitFiles(of process: Int32, bytes: UInt) throws {
    let limit = bytes == .max ? "unlimited" : "\(bytes)"
    guard runCommand(["prlimit", "--pid", "\(process)", "--fsize=\(limit):unlimited"]) else {
      throw WireError("no limit is set")
    }
  }

  private static func mount(_ folder: String, _ options: String) -> Bool {
    runCommand(["mount", "-t", "tmpfs", "-o", options, "tmpfs", folder])
  }

  private static func resize(_ folder: String, kibibytes: Int) -> Bool {
    runCommand(["mount", "-o", "remount,size=\(kibibytes)k", folder])
  }

  private static func files(in folder: String) throws -> [Int] {
    try FileManager.default.contentsOfDirectory(atPath: folder).map { name in
      let attributes = try FileManager.default.attributesOfItem(atPath: "\(folder)/\(name)")
      return attributes[.size] as? Int ?? 0
    }
  }

  private static func largestFile(in folder: String) throws -> Int {
    try files(in: folder).max() ?? 0
  }
}

/// Runs a command of the system and waits for its end.
///
/// - Returns: Whether it was found and ended with status 0.
func runCommand(_ words: [String]) -> Bool {
  let process = Process()
  process.executableURL = URL(filePath: "/usr/bin/env")
  process.arguments = words
  process.standardOutput = FileHandle.nullDevice
  process.standardError = FileHandle.nullDevice
  guard (try? process.run()) != nil else { return false }
  process.waitUntilExit()
  return process.terminationStatus == 0
}
