import JSON
import TreeDomain

/// The lines of an import give the same nodes in any pieces, with and without the fast path.
enum ImportLaw {
  static func check(_ input: [UInt8]) throws(FuzzFinding) {
    // The first byte determines where the others are cut.
    guard let first = input.first else { return }
    let lines = Array(input.dropFirst())
    let cut = lines.isEmpty ? 0 : Int(first) % lines.count
    let whole = read([lines], limits)
    try expectSame(whole, read([Array(lines[..<cut]), Array(lines[cut...])], limits), "cut")
    var careful = limits
    careful.readsQuickly = false
    try expectSame(whole, read([lines], careful), "read carefully")
  }

  private static func read(
    _ chunks: [[UInt8]],
    _ limits: DecodingLimits
  ) -> Result<[String], ServiceError> {
    Result { () throws(ServiceError) in
      var decoder = ImportDecoder(limits: limits)
      for chunk in chunks { try decoder.feed(chunk) }
      return try decoder.finish().parts.flatMap { part in part.nodes.map { text(of: $0, part) } }
    }
  }

  /// Returns all data of a node as text.
  private static func text(of node: Import.ImportedNode, _ part: Import.Part) -> String {
    let above =
      switch node.above {
      case .nothing: "-"
      case .parent(let key): "parent \(Array(part[key]))"
      case .section(let name): "section \(Array(part[name]))"
      }
    return "\(node.line): \(Array(part[node.key])) \(Array(part[node.object])) \(above)"
      + " \(node.childState) \(node.hint ?? -1)"
  }

  private static func expectSame(
    _ one: Result<[String], ServiceError>,
    _ other: Result<[String], ServiceError>,
    _ how: String
  ) throws(FuzzFinding) {
    try FuzzFinding.expect(one == other, "\(one), and \(how): \(other)")
  }

  /// Limits that short inputs reach.
  private static var limits: DecodingLimits {
    var limits = DecodingLimits()
    limits.maxJSONDepth = 8
    limits.maxNodes = 4
    limits.maxKeyBytes = 16
    limits.maxObjectBytes = 32
    return limits
  }

  static let corpus: [[UInt8]] = [
    "{\"key\":\"a\",\"object\":{\"n\":1}}\n{\"key\":\"b\",\"parent\":\"a\",\"children\":[]}\n",
    #"{"key":"\u00e9","parent":null,"children":null}"# + "\r\n\n" + #"{"key":"é","section":"s"}"#,
    " { \"key\" : \"c\" , \"children\" : \"unloaded\" , \"childCount\" : 7 } \n",
  ].flatMap { text in ["\0", "\u{1B}"].map { Array(($0 + text).utf8) } }
}
