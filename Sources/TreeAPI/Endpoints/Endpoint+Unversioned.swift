import HTTP
import JSON
import TreeDomain
import TreeWeb

// Paths outside of `/v1`: for operators, for documentation, and for browsers.
extension Endpoint {
  /// `GET /healthz`: confirms that the process is running.
  static let getHealth = Endpoint(answerTypes: [], isOpen: true, isVital: true, .same(alive))

  private static let alive = Response.json(.ok) { writer in
    writer.beginObject()
    writer.name("status")
    writer.string("ok" as StaticString)
    writer.endObject()
  }

  /// `GET /readyz`: tells if the service accepts changes.
  static let getReadiness = Endpoint(answerTypes: [], isOpen: true, isVital: true) { call in
    switch call.service.readiness {
    case .ready:
      if let refusal = call.refusal(at: nil) { return refusal }
      return .json(.ok) { writer in
        writer.beginObject()
        writer.name("status")
        writer.string("ready" as StaticString)
        writer.endObject()
      }
    case .unready(let reason):
      var fields = Fields()
      fields.append(.retryAfter, "1")
      return .json(.serviceUnavailable, fields) { writer in
        writer.beginObject()
        writer.name("status")
        writer.string("unready" as StaticString)
        writer.name("reason")
        writer.string(reason.rawValue)
        writer.endObject()
      }
    }
  }

  /// `GET /metrics`: returns metrics of the service, the server and the process, for Prometheus.
  static let getMetrics = Endpoint(answerTypes: [], permission: .metrics, isVital: true) { call in
    if let refusal = call.refusal(at: nil) { return refusal }
    var writer = MetricsWriter()
    call.service.statistics.write(to: &writer)
    call.context.observe(&writer)
    return Response(.ok, contentType: MetricsWriter.contentType, body: writer.finish())
  }

  /// `GET /problems/{code}`: explains the code of a problem, whose `type` refers to it.
  static let getProblem = Endpoint(answerTypes: [], isOpen: true) { call in
    let code = String(decoding: call.path["code"], as: UTF8.self)
    let pages = call.context.staticAnswers.problemPages
    guard let page = pages[code] else {
      let nearest = nearestName(to: code, among: pages.keys.sorted())
      let advice = nearest.map { "the nearest path is /problems/\($0)" }
      return Problem(
        .routeNotFound,
        detail: "No problem has this code; \(advice ?? "ProblemCode in /openapi.yaml lists all")."
      ).response
    }
    if let refusal = call.refusal(at: nil) { return refusal }
    let type = MediaType.preferred(of: [.markdown, .html], by: call.request.fields)
    return type == .html ? page.html : page.markdown
  }

  /// `GET /openapi.yaml`: returns the description of the API.
  ///
  /// The file at the project's root is compiled into the program, which needs no further files.
  static let getDescription = Endpoint(
    answerTypes: [],
    isOpen: true,
    .same(
      Response(
        .ok,
        contentType: WebFile.apiDescription.contentType,
        body: WebFile.apiDescription.content
      )
    )
  )

  /// `GET /client/{file}`: returns a file of the JavaScript client.
  static let getClientFile = page { call in
    let name = String(decoding: call.path["file"], as: UTF8.self)
    guard let file = call.context.staticAnswers.clientFiles[name] else {
      let names = WebFile.client.map(\.name).joined(separator: ", ")
      let detail = "The client has no such file; it has \(names)."
      return Problem(.routeNotFound, detail: detail).response
    }
    return file.answer(to: call)
  }

  /// `GET /`: redirects to the explorer.
  static let getStart = page { call in
    ExplorerAnswers.redirection(call)
  }

  /// `GET /explorer`: redirects to the explorer.
  static let getExplorerStart = page { call in
    ExplorerAnswers.redirection(call)
  }

  /// `GET /explorer/`: returns the page of the explorer.
  static let getExplorer = page { call in
    ExplorerAnswers.file("index.html", call)
  }

  /// `GET /explorer/{file}`: returns a file of the explorer.
  static let getExplorerFile = page { call in
    ExplorerAnswers.file(String(decoding: call.path["file"], as: UTF8.self), call)
  }
}

/// The answers with the explorer's files, which a setting turns off.
private enum ExplorerAnswers {
  /// Returns a redirection to the explorer's page.
  static func redirection(_ call: Call) -> Response {
    guard call.context.options.explorer else { return turnedOff }
    if let refusal = call.refusal(at: nil) { return refusal }
    var response = Response(.found)
    // Relative, so that it is right below the prefix of a proxy, too.
    response.fields.append(.location, "explorer/")
    return response
  }

  /// Returns a file of the explorer.
  static func file(_ name: String, _ call: Call) -> Response {
    guard call.context.options.explorer else { return turnedOff }
    guard let file = call.context.staticAnswers.explorerFiles[name] else {
      let names = WebFile.explorer.map(\.name).joined(separator: ", ")
      let detail = "The explorer has no such file; it has \(names)."
      return Problem(.routeNotFound, detail: detail).response
    }
    return file.answer(to: call)
  }

  private static var turnedOff: Response {
    let detail = "The explorer is turned off; the setting explorer turns it on."
    return Problem(.routeNotFound, detail: detail).response
  }
}
