import HTTP
import TreeDomain
import TreeWeb

extension Endpoint {
  /// `GET /client/{file}`: returns a file of the JavaScript client.
  ///
  /// Browsers store the files and revalidate them by their tags, because they change with the
  /// program.
  static let getClientFile = Endpoint(answerTypes: [], isOpen: true) { call in
    let name = String(decoding: call.path["file"], as: UTF8.self)
    guard let file = call.context.staticAnswers.clientFiles[name] else {
      let names = ClientFile.all.map(\.name).joined(separator: ", ")
      let detail = "The client has no such file; it has \(names)."
      return Problem(.routeNotFound, detail: detail).response
    }
    if let refusal = call.refusal(at: nil) { return refusal }
    let held = EntityTagList(call.request.fields, .ifNoneMatch)
    let coding = held?.coding(ofHeld: file.tag.utf8, by: call.request.codings)
    return coding.map(file.notModified) ?? file.response
  }
}
