import HTTP
import Testing
import TreeAPI
import TreeSessions
import TreeWeb

@Suite struct `The files of the client` {
  private let api = TreeAPI(service: SessionStore())

  private func get(_ target: String, _ fields: [(FieldName, String)] = []) throws -> Response {
    var head = Fields()
    for (name, value) in fields { head.append(name, value) }
    let request = try Request(method: .get, target: target, fields: head, body: [])
    guard case .response(let response) = api.respond(to: request) else { throw NoResponse() }
    return response
  }
  private struct NoResponse: Error {}

  @Test(arguments: ClientFile.all)
  func `are served as they are, and kept by their tags`(_ file: ClientFile) throws {
    let path = "/client/\(file.name)"
    let response = try get(path)
    #expect(response.status == .ok && response.body == file.content)
    let type = response.fields.combinedValue(.contentType)
    #expect(type.map { Array($0) } == Array(file.contentType.utf8))
    for tag in ["\"\(file.tag)\"", "\"\(file.tag)-gzip\"", "W/\"\(file.tag)\""] {
      let again = try get(path, [(.ifNoneMatch, tag)])
      #expect(again.status == .notModified && again.body.isEmpty, "\(tag)")
    }
    #expect(try get(path, [(.ifNoneMatch, "\"0\"")]).status == .ok)
  }

  @Test func `differ in their tags`() {
    #expect(Set(ClientFile.all.map(\.tag)).count == ClientFile.all.count)
    #expect(ClientFile.all.allSatisfy { !$0.content.isEmpty })
  }

  @Test(arguments: ["nothing.js", "package.json", "..%2Fopenapi.yaml"])
  func `have no others beside them`(_ name: String) throws {
    #expect(try get("/client/\(name)").status == .notFound)
  }
}
