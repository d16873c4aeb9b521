import HTTP
import TreeDomain
import TreeWeb

extension Endpoint {
  /// `GET /`: redirects to the explorer.
  static let getStart = Endpoint(answerTypes: [], isOpen: true) { call in
    call.redirectionToExplorer
  }

  /// `GET /explorer`: redirects to the explorer.
  static let getExplorerStart = Endpoint(answerTypes: [], isOpen: true) { call in
    call.redirectionToExplorer
  }

  /// `GET /explorer/`: returns the page of the explorer.
  static let getExplorer = Endpoint(answerTypes: [], isOpen: true) { call in
    call.explorerFile("index.html")
  }

  /// `GET /explorer/{file}`: returns a file of the explorer.
  static let getExplorerFile = Endpoint(answerTypes: [], isOpen: true) { call in
    call.explorerFile(String(decoding: call.path["file"], as: UTF8.self))
  }
}

extension Call {
  fileprivate var explorerIsOff: Response {
    let detail = "The explorer is turned off; the setting explorer turns it on."
    return Problem(.routeNotFound, detail: detail).response
  }

  fileprivate var redirectionToExplorer: Response {
    guard context.options.explorer else { return explorerIsOff }
    if let refusal = refusal(at: nil) { return refusal }
    var response = Response(.found)
    // Relative, so that it is right below the prefix of a proxy, too.
    response.fields.append(.location, "explorer/")
    return response
  }

  fileprivate func explorerFile(_ name: String) -> Response {
    guard context.options.explorer else { return explorerIsOff }
    guard let file = context.staticAnswers.explorerFiles[name] else {
      let names = WebFile.explorer.map(\.name).joined(separator: ", ")
      let detail = "The explorer has no such file; it has \(names)."
      return Problem(.routeNotFound, detail: detail).response
    }
    return file.answer(to: self)
  }
}
