internal import CEmbedded

/// A file for clients, compiled into the program.
package struct WebFile: Sendable {
  /// The name, which is the last segment of its path.
  package let name: String
  /// The media type.
  package let contentType: String
  /// The content.
  package let content: [UInt8]

  /// The files of the JavaScript client.
  package static let client = [
    script("tree-client"),
    types("tree-client"),
    script("outbox"),
    types("outbox"),
    script("ag-grid"),
    types("ag-grid"),
    script("react"),
    types("react"),
    script("virtual-list"),
    types("virtual-list"),
    page("example"),
  ]

  /// The files of the explorer.
  ///
  /// Its modules are one script, because each file more delays the first rows.
  package static let explorer = [
    page("index"),
    WebFile("explorer.css", "text/css; charset=utf-8"),
    WebFile(joining: modules, as: "explorer.js"),
  ]

  /// The modules of the explorer, each behind those that it imports.
  private static let modules = [
    "tree-client", "virtual-list", "surroundings", "opening", "messages", "columns", "keyboard",
    "treegrid", "naming", "edits", "sections", "selection", "drag", "finder", "inspector",
    "convert", "sample", "start", "explorer",
  ]

  /// The description of the API.
  package static let apiDescription = WebFile("openapi.yaml", "application/yaml")

  private init(_ name: String, _ contentType: String) {
    self.name = name
    self.contentType = contentType
    let file = unsafe cembedded_find(name)
    guard let bytes = unsafe file.bytes else {
      preconditionFailure("\(name) is not compiled into the program")
    }
    content = unsafe Array(UnsafeBufferPointer(start: bytes, count: file.count))
  }

  /// Joins modules to a script.
  ///
  /// They share its scope, so it neither imports nor exports.
  private init(joining modules: [String], as name: String) {
    self.name = name
    contentType = "text/javascript; charset=utf-8"
    let newline = UInt8(ascii: "\n"), export = "export ".utf8
    let text = modules.flatMap { Self.script($0).content }
    var content: [UInt8] = []
    for line in text.split(separator: newline, omittingEmptySubsequences: false)
    where !line.starts(with: "import {".utf8) {
      content += line.starts(with: export) ? line.dropFirst(export.count) : line
      content.append(newline)
    }
    self.content = content
  }

  private static func script(_ name: String) -> WebFile {
    WebFile(name + ".js", "text/javascript; charset=utf-8")
  }

  private static func page(_ name: String) -> WebFile {
    WebFile(name + ".html", "text/html; charset=utf-8")
  }

  /// Returns a file of TypeScript declarations, which browsers show as text and do not run.
  private static func types(_ name: String) -> WebFile {
    WebFile(name + ".d.ts", "text/plain; charset=utf-8")
  }

  /// The FNV-1a hash of the content, in hexadecimal, for its `ETag`.
  package var tag: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
