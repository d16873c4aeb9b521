import Foundation
import Testing

/// The files of this repository, found from the path of this source file.
enum Repository {
  /// The root, which is the folder with `Package.swift`.
  static let root: String = {
    var folder = URL(filePath: #filePath).deletingLastPathComponent()
    while !FileManager.default.fileExists(atPath: folder.appending(path: "Package.swift").path()) {
      precondition(folder.pathComponents.count > 1, "no Package.swift above \(#filePath)")
      folder.deleteLastPathComponent()
    }
    return folder.path(percentEncoded: false)
  }()

  /// All Swift files of the product and of its tests.
  static let sources: [SourceText] = paths(below: "Sources") + paths(below: "Tests")

  /// The names of the folders below `Sources`.
  static var targets: [String] { names(in: "Sources").sorted() }

  /// The paths of the documentation catalogs.
  static var catalogs: [String] {
    targets.map { "Sources/\($0)/Documentation.docc" }.filter { !names(in: $0).isEmpty }
  }

  /// The README and all pages of the catalogs.
  static var documents: [(path: String, text: String)] {
    let pages = catalogs.flatMap { catalog in
      names(in: catalog).sorted().filter { $0.hasSuffix(".md") }.map { catalog + "/" + $0 }
    }
    return (["README.md"] + pages).compactMap { path in text(of: path).map { (path, $0) } }
  }

  /// Returns the text of a file, given its path from the root; nil if it does not exist.
  static func text(of path: String) -> String? {
    FileManager.default.contents(atPath: root + path).map { String(decoding: $0, as: UTF8.self) }
  }

  private static func paths(below folder: String) -> [SourceText] {
    names(in: folder).sorted().flatMap { name -> [SourceText] in
      let path = folder + "/" + name
      guard name.hasSuffix(".swift") else { return paths(below: path) }
      return text(of: path).map { [SourceText(path: path, text: $0)] } ?? []
    }
  }

  private static func names(in folder: String) -> [String] {
    let all = (try? FileManager.default.contentsOfDirectory(atPath: root + folder)) ?? []
    return all.filter { !$0.hasPrefix(".") }
  }
}

/// Fails once for each finding.
func expectNone(_ findings: [Finding], sourceLocation: SourceLocation = #_sourceLocation) {
  for finding in findings {
    Issue.record("\(finding)", sourceLocation: sourceLocation)
  }
}
