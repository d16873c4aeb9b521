internal import CEmbedded

/// A file for clients, compiled into the program.
public struct WebFile: Sendable {
  /// The name, which is the last segment of its path.
  public let name: String
  /// The media type.
  public let contentType: String
  /// The content.
  public let content: [UInt8]

  /// The files of the JavaScript client.
  public static let client = [
    script("tree-client"),
    types("tree-client"),
    script("outbox"),
    types("outbox"),
    script("ag-grid"),
    script("react"),
    script("virtual-list"),
    page("example"),
  ]

  /// The files of the explorer.
  public static let explorer = [
    page("index"),
    WebFile("explorer.css", "text/css; charset=utf-8"),
    script("explorer"),
    script("opening"),
    script("treegrid"),
    script("columns"),
    script("keyboard"),
    script("edits"),
    script("drag"),
    script("finder"),
    script("inspector"),
    script("start"),
    script("convert"),
    script("sample"),
    script("messages"),
    script("surroundings"),
  ]

  /// The description of the API.
  public static let apiDescription = WebFile("openapi.yaml", "application/yaml")

  private init(_ name: String, _ contentType: String) {
    self.name = name
    self.contentType = contentType
    let file = unsafe cembedded_find(name)
    guard let bytes = unsafe file.bytes else {
      preconditionFailure("\(name) is not compiled into the program")
    }
    content = unsafe Array(UnsafeBufferPointer(start: bytes, count: file.count))
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
  public var tag: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
