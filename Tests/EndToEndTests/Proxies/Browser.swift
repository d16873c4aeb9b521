import Foundation
import Glibc
import TestSupport

/// A headless Chromium that shows a page.
final class Browser {
  /// True if Chromium is installed.
  static let isInstalled = runCommand(["chromium", "--version"])

  private let process = Process()
  private let folder: TemporaryFolder

  /// Opens a page.
  init(_ url: String) throws {
    folder = try TemporaryFolder()
    process.executableURL = URL(filePath: "/usr/bin/env")
    process.arguments = [
      "chromium", "--headless", "--no-sandbox", "--disable-gpu", "--disable-dev-shm-usage",
      "--ignore-certificate-errors", "--remote-debugging-port=0",
      "--user-data-dir=\(folder.path)/profile", url,
    ]
    process.standardInput = FileHandle.nullDevice
    process.standardOutput = FileHandle.nullDevice
    process.standardError = FileHandle.nullDevice
    try process.run()
  }

  deinit {
    // It inherits a signal mask from the thread that started it, which may block SIGTERM.
    _ = kill(process.processIdentifier, SIGKILL)
    process.waitUntilExit()
  }
}
