import Foundation

/// The files of this repository, found from where this file was compiled.
enum Repository {
  /// The folder that holds `Package.swift`.
  static let root: URL = {
    var folder = URL(filePath: #filePath)
    for _ in 0..<4 { folder.deleteLastPathComponent() }
    return folder
  }()
}
