import Foundation
import HTTP
import Testing
import TreeAPI
import TreeSessions

/// Sends the example requests of the API's description, and compares the answers with the examples.
struct ExampleTests {
  private static let requests = APIExamples.requests

  @Test func `there are examples of all operations`() {
    let operations = Set(Self.requests.map(\.operation))
    #expect(operations.count == TreeAPI.routes.filter { Self.isDescribed($0.method) }.count)
  }

  @Test(arguments: requests)
  func `every successful answer has an example`(_ request: APIExamples.Request) {
    for answer in request.answers where answer.type != nil {
      #expect(answer.content != nil, "\(request.operation) \(answer.status) \(answer.type ?? "")")
    }
    // Start pages redirect.
    #expect(!request.answers.isEmpty || request.operation.hasSuffix("Start"))
  }

  @Test(arguments: requests)
  func `the service answers each request as in its example`(_ request: APIExamples.Request) throws {
    for answer in request.answers {
      let service = try ExampleService(for: request, answer)
      let (status, body) = try service.answer(to: request, as: answer.type)
      #expect(status == answer.status, "\(request.operation) is answered \(body)")
      guard let content = answer.content, Self.shows(answer, request) else { continue }
      if answer.type == "application/json" {
        let value = try JSONSerialization.jsonObject(with: Data(body.utf8))
        #expect(APIExamples.text(value) == content, "\(request.operation): \(body)")
      } else if answer.type == "application/yaml" {
        let version = YAMLDocument.members(of: body)["openapi"] ?? ""
        #expect(APIExamples.text(["openapi": version]) == content)
      } else {
        let lines = Set(body.split(separator: "\n"))
        for line in content.split(separator: "\n") {
          #expect(lines.contains(line), "\(request.operation): \(body.prefix(2_000))")
        }
      }
    }
  }

  /// Returns true unless the method is served at every path without a description.
  private static func isDescribed(_ method: HTTP.Method) -> Bool {
    method != .head && method != .options
  }

  /// Returns true if the content is to be compared. It is not if the example is shared and from
  /// another operation, or shortens a file, which other tests compare.
  private static func shows(
    _ answer: APIExamples.AnswerExample,
    _ request: APIExamples.Request
  ) -> Bool {
    let files: Set = ["getClientFile", "getExplorer", "getExplorerFile"]
    guard !files.contains(request.operation) else { return false }
    return !answer.isShared || ["applyBatch", "applyTreeBatch"].contains(request.operation)
  }
}
