import Foundation
import Glibc

/// A way to take a program's disk space away, and to give it back.
enum Shortage: CaseIterable {
  /// Files may not grow beyond a size (setrlimit(2), `RLIMIT_FSIZE`).
  case fileSize
  /// The file system is small; only root can make one.
  case fileSystem

  /// The ways that this machine and user allow.
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

  /// Prepares a folder before a program starts there.
  func prepare(_ folder: String) throws {
    try FileManager.default.createDirectory(atPath: folder, withIntermediateDirectories: true)
    guard self == .fileSystem else { return }
    guard Self.mount(folder, "size=64m") else { throw WireError("the file system was not mounted") }
  }

  /// Leaves a program about `bytes` of space.
  func begin(in folder: String, of process: Int32, bytes: Int) throws {
    switch self {
    case .fileSize:
      try Self.limitFiles(of: process, bytes: UInt(Self.largestFile(in: folder) + bytes))
    case .fileSystem:
      // Writes during the resize can need more than the new size, which is then refused.
      for _ in 0..<50 {
        let size = try Self.files(in: folder).reduce(0) { $0 + $1 }
        if Self.resize(folder, kibibytes: (size + bytes) / 1_024) { return }
      }
      throw WireError("the file system was not resized")
    }
  }

  /// Gives the space back.
  func end(in folder: String, of process: Int32) throws {
    switch self {
    case .fileSize: try Self.limitFiles(of: process, bytes: .max)
    case .fileSystem:
      guard Self.resize(folder, kibibytes: 65_536) else {
        throw WireError("the file system was not resized")
      }
    }
  }

  /// Removes the folder after its programs have ended.
  func remove(_ folder: String) {
    if self == .fileSystem { _ = runCommand(["umount", folder]) }
    try? FileManager.default.removeItem(atPath: folder)
  }

  private static func limitFiles(of process: Int32, bytes: UInt) throws {
    let limit = bytes == .max ? "unlimited" : "\(bytes)"
    guard runCommand(["prlimit", "--pid", "\(process)", "--fsize=\(limit):unlimited"]) else {
      throw WireError("the limit was not set")
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

/// Runs a system command and waits for its end.
///
/// - Returns: True if the command exists and ended with status 0.
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
