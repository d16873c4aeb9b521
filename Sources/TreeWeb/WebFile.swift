/// A file for browsers, compiled into the program.
public struct WebFile: Sendable {
  /// The name, which is the last segment of its path.
  public let name: String
  /// The media type.
  public let contentType: String
  /// The content.
  public let content: [UInt8]

  /// The files of the JavaScript client.
  public static let client = [
    script("tree-client", PackageResources.tree_client_js),
    types("tree-client", PackageResources.tree_client_d_ts),
    script("outbox", PackageResources.outbox_js),
    types("outbox", PackageResources.outbox_d_ts),
    script("ag-grid", PackageResources.ag_grid_js),
    script("react", PackageResources.react_js),
    script("virtual-list", PackageResources.virtual_list_js),
    page("example", PackageResources.example_html),
  ]

  /// The files of the explorer.
  public static let explorer = [
    page("index", PackageResources.index_html),
    WebFile(
      name: "explorer.css",
      contentType: "text/css; charset=utf-8",
      content: PackageResources.explorer_css
    ),
    script("explorer", PackageResources.explorer_js),
    script("opening", PackageResources.opening_js),
    script("treegrid", PackageResources.treegrid_js),
    script("columns", PackageResources.columns_js),
    script("keyboard", PackageResources.keyboard_js),
    script("edits", PackageResources.edits_js),
    script("drag", PackageResources.drag_js),
    script("finder", PackageResources.finder_js),
    script("inspector", PackageResources.inspector_js),
    script("start", PackageResources.start_js),
    script("convert", PackageResources.convert_js),
    script("sample", PackageResources.sample_js),
    script("messages", PackageResources.messages_js),
    script("surroundings", PackageResources.surroundings_js),
  ]

  private static func script(_ name: String, _ content: [UInt8]) -> WebFile {
    WebFile(
      name: name + ".js",
      contentType: "text/javascript; charset=utf-8",
      content: content
    )
  }

  private static func page(_ name: String, _ content: [UInt8]) -> WebFile {
    WebFile(name: name + ".html", contentType: "text/html; charset=utf-8", content: content)
  }

  /// Returns a file of TypeScript declarations, which browsers show as text and do not run.
  private static func types(_ name: String, _ content: [UInt8]) -> WebFile {
    WebFile(name: name + ".d.ts", contentType: "text/plain; charset=utf-8", content: content)
  }

  /// The FNV-1a hash of the content, in hexadecimal, for its `ETag`.
  public var tag: String {
    var hash: UInt64 = 0xcbf2_9ce4_8422_2325
    for byte in content { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01b3 }
    return String(hash, radix: 16)
  }
}
