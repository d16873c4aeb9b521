/// A file of the JavaScript client, compiled into the program.
public struct ClientFile: Sendable {
  /// The name, which is the last segment of its path.
  public let name: String
  /// The media type.
  public let contentType: String
  /// The content.
  public let content: [UInt8]

  /// All files.
  public static let all = [
    script("tree-client", PackageResources.tree_client_js),
    types("tree-client", PackageResources.tree_client_d_ts),
    script("outbox", PackageResources.outbox_js),
    types("outbox", PackageResources.outbox_d_ts),
    script("ag-grid", PackageResources.ag_grid_js),
    script("react", PackageResources.react_js),
    script("virtual-list", PackageResources.virtual_list_js),
    ClientFile(
      name: "example.html",
      contentType: "text/html; charset=utf-8",
      content: PackageResources.example_html
    ),
  ]

  private static func script(_ name: String, _ content: [UInt8]) -> ClientFile {
    ClientFile(
      name: name + ".js",
      contentType: "text/javascript; charset=utf-8",
      content: content
    )
  }

  /// Browsers show declarations as text, and nothing runs them.
  private static func types(_ name: String, _ content: [UInt8]) -> ClientFile {
    ClientFile(name: name + ".d.ts", contentType: "text/plain; charset=utf-8", content: content)
  }

  /// The FNV-1a hash of the content, in hexadecimal.
  ///
  /// It differs where the content differs.
  public var tag: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
