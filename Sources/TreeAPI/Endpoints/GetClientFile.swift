import HTTP
import TreeDomain
import TreeWeb

extension Endpoint {
  /// `GET /client/{file}`: returns a file of the JavaScript client.
  static let getClientFile = Endpoint(answerTypes: [], isOpen: true) { call in
    let name = String(decoding: call.path["file"], as: UTF8.self)
    guard let file = call.context.staticAnswers.clientFiles[name] else {
      let names = WebFile.client.map(\.name).joined(separator: ", ")
      let detail = "The client has no such file; it has \(names)."
      return Problem(.routeNotFound, detail: detail).response
    }
    return file.answer(to: call)
  }
}
