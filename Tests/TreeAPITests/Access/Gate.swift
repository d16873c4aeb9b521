import HTTP
import Testing
import TreeDomain
import TreeSessions

@testable import TreeAPI

/// A service with access keys, called without a socket.
struct Gate {
  /// The secrets of two keys.
  static let keys = ["0123456789abcdef", "AB.C-D_E~F+G/H123=="]

  /// The routes that need no credentials.
  static let open = [
    "/healthz", "/readyz", "/openapi.yaml", "/problems/{code}", "/client/{file}", "/",
    "/explorer", "/explorer/", "/explorer/{file}",
  ]

  let api: TreeAPI

  init(
    _ service: SessionStore = SessionStore(),
    _ change: (inout TreeAPIOptions) throws -> Void = { _ in }
  ) throws {
    var options = TreeAPIOptions()
    try options.keys.add(lines: Array("one:\(Self.keys[0])\ntwo:\(Self.keys[1])".utf8))
    try change(&options)
    api = TreeAPI(service: service, options: options)
  }

  /// Returns a request, with a token if one is given.
  func request(
    _ method: Method,
    _ target: String,
    _ body: String = "",
    token: String?,
    _ fields: [(FieldName, String)] = []
  ) throws -> Request {
    let type = body.isEmpty ? [] : [(FieldName.contentType, "application/json")]
    let credentials = token.map { [(FieldName.authorization, "Bearer " + $0)] } ?? []
    return try Request(
      method: method,
      target: target,
      fields: (fields + type + credentials).fields,
      body: Array(body.utf8)
    )
  }

  /// Sends a request.
  func send(
    _ method: Method,
    _ target: String,
    _ body: String = "",
    token: String?,
    _ fields: [(FieldName, String)] = []
  ) throws -> Answer {
    let request = try request(method, target, body, token: token, fields)
    return Answer(try api.answer(to: request), session: "\u{0}", tree: "\u{0}")
  }

  /// Returns the refusal of a request by its head alone; nil if it is not refused.
  func refusal(of request: Request) -> Answer? {
    api.receiver(for: request)?.begin().map { Answer($0, session: "\u{0}", tree: "\u{0}") }
  }

  /// Returns the path of a template, with unused names unless one is given.
  static func path(_ template: String, session: String = absentSession) -> String {
    template.replacing("{session}", with: session).replacing("{tree}", with: "none")
      .replacing("{key}", with: "k").replacing("{index}", with: "0")
      .replacing("{code}", with: "cycle").replacing("client/{file}", with: "client/tree-client.js")
      .replacing("explorer/{file}", with: "explorer/explorer.css")
  }

  /// The id of a session that does not exist.
  static let absentSession = "s_0000000000000000000000"
}
