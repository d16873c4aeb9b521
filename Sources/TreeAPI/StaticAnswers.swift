import HTTP
import TreeWeb

/// The responses that are the same for all clients, with their content compressed in advance.
struct StaticAnswers: Sendable {
  /// The responses of endpoints that always send the same one.
  private let responses: [ObjectIdentifier: Response]
  /// The pages that explain problems, by their codes.
  let problemPages: [String: ProblemPage]
  /// The files of the client, by their names.
  let clientFiles: [String: ServedFile]
  /// The files of the explorer, by their names; empty if it is turned off.
  let explorerFiles: [String: ServedFile]

  /// Creates all responses.
  ///
  /// - Parameters:
  ///   - compress: Returns content as gzip; nil for no compression.
  ///   - hasExplorer: True if the explorer is served.
  init(compress: TreeAPI.Compressor?, hasExplorer: Bool) {
    var responses: [ObjectIdentifier: Response] = [:]
    for endpoint in TreeAPI.endpoints {
      guard case .same(let response) = endpoint.work else { continue }
      responses[ObjectIdentifier(endpoint)] = response.compressed(by: compress)
    }
    self.responses = responses
    clientFiles = Dictionary(
      uniqueKeysWithValues: WebFile.client.map { ($0.name, ServedFile($0, compress: compress)) }
    )
    explorerFiles = Dictionary(
      uniqueKeysWithValues: (hasExplorer ? WebFile.explorer : []).map {
        ($0.name, ServedFile($0, fields: ExplorerFields.all, compress: compress))
      }
    )
    problemPages = ProblemPage.all.mapValues { page in
      ProblemPage(
        markdown: page.markdown.compressed(by: compress),
        html: page.html.compressed(by: compress)
      )
    }
  }

  /// Returns the response of an endpoint; nil if it is not always the same.
  func answer(of endpoint: Endpoint) -> Response? { responses[ObjectIdentifier(endpoint)] }
}

extension Response {
  /// Returns the response with a compressed copy of its content; unchanged if `compress` is nil.
  func compressed(by compress: TreeAPI.Compressor?) -> Response {
    guard let compress, !body.isEmpty else { return self }
    var response = self
    response.compressedBody = compress(body)
    return response
  }
}

/// The header fields of the explorer's responses that restrict its page.
enum ExplorerFields {
  /// Fields that allow the page its own scripts and styles, connections to this service only, and
  /// no frames.
  static let all = [
    (FieldName("Content-Security-Policy"), policy.joined(separator: "; ")),
    (FieldName("Referrer-Policy"), "no-referrer"),
    (FieldName("Cross-Origin-Opener-Policy"), "same-origin"),
  ]

  private static let policy = [
    "default-src 'none'", "script-src 'self'", "style-src 'self'", "connect-src 'self'",
    "img-src 'self' data:", "base-uri 'none'", "form-action 'none'", "frame-ancestors 'none'",
  ]
}
