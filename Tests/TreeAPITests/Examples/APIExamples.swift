import Foundation
import HTTP
import TreeAPI
import TreeSessions

/// The examples of requests and answers in the description of the API.
struct APIExamples {
  /// A request, with an example of each of its parts.
  struct Request: Sendable {
    /// The operation's id.
    var operation: String
    var method: String
    /// The path, with parameters in braces.
    var path: String
    /// The examples of path parameters, by name.
    var parameters: [String: String]
    /// The examples of the query parameters that an answer requires.
    var query: String
    /// The name of the example; nil if the operation has only one.
    var name: String?
    var bodyType: String?
    var body: String
    var answers: [AnswerExample]
  }

  /// An answer to a request.
  struct AnswerExample: Sendable {
    var status: Int
    /// The media type; nil if there is no content.
    var type: String?
    /// The content, as JSON with sorted names; nil without an example.
    var content: String?
    /// True if several operations share the answer.
    var isShared: Bool
  }

  private let document: [String: Any]

  /// Reads the description that the service serves.
  private init() {
    let request = try? HTTP.Request(method: .get, target: "/openapi.yaml")
    let response = request.flatMap { try? TreeAPI(service: SessionStore()).answer(to: $0) }
    document = YAMLDocument.members(of: String(decoding: response?.body ?? [], as: UTF8.self))
  }

  /// The examples of problems, by the names of responses, with values as text.
  static let problems: [String: [String: String]] = {
    let components = object(APIExamples().document["components"])
    return object(components["responses"]).compactMapValues { response in
      let content = object(object(response)["content"])
      let example = object(content["application/problem+json"])["example"] as? [String: Any]
      return example?.mapValues { "\($0)" }
    }
  }()

  /// A request for each example of a request body, and for each operation without a body.
  static let requests = APIExamples().requests

  private var requests: [Request] {
    Self.object(document["paths"]).flatMap { path, item in
      let item = Self.object(item)
      return item.keys.filter { $0 != "parameters" }.flatMap { method in
        requests(method, path, Self.object(item[method]), shared: item["parameters"])
      }
    }.sorted { ($0.operation, $0.name ?? "") < ($1.operation, $1.name ?? "") }
  }

  private func requests(
    _ method: String,
    _ path: String,
    _ operation: [String: Any],
    shared: Any?
  ) -> [Request] {
    let parameters = (Self.list(shared) + Self.list(operation["parameters"])).map(resolve)
    let inPath = parameters.filter { $0["in"] as? String == "path" }
    // Without `since` the only answer is a stream.
    let isOfChanges = operation["operationId"] as? String == "followChanges"
    let asked = parameters.filter {
      $0["in"] as? String == "query"
        && ($0["required"] as? Bool == true || isOfChanges && $0["name"] as? String == "since")
    }
    return bodies(resolve(operation["requestBody"])).map { name, type, body in
      Request(
        operation: operation["operationId"] as? String ?? "",
        method: method.uppercased(),
        path: path,
        parameters: Dictionary(uniqueKeysWithValues: inPath.map(Self.example)),
        query: asked.map(Self.example).map { "\($0)=\($1)" }.joined(separator: "&"),
        name: name,
        bodyType: type,
        body: body,
        answers: answers(operation, named: name)
      )
    }
  }

  /// Returns the examples of a request body: name, media type and content.
  private func bodies(_ body: [String: Any]) -> [(String?, String?, String)] {
    let content = Self.object(body["content"])
    for (type, media) in content.sorted(by: { $0.key < $1.key }) {
      let media = Self.object(media)
      if let example = media["example"] { return [(nil, type, Self.text(example))] }
      let examples = Self.object(media["examples"])
      if !examples.isEmpty {
        return examples.map { ($0, type, Self.text(Self.object($1)["value"] ?? NSNull())) }
      }
    }
    return [(nil, nil, "")]
  }

  private func answers(_ operation: [String: Any], named name: String?) -> [AnswerExample] {
    Self.object(operation["responses"]).flatMap { status, response -> [AnswerExample] in
      guard let status = Int(status), 200..<300 ~= status else { return [] }
      let isShared = Self.object(response)["$ref"] != nil
      let content = Self.object(resolve(response)["content"])
      guard !content.isEmpty else {
        return [AnswerExample(status: status, type: nil, content: nil, isShared: isShared)]
      }
      return content.map { type, media in
        let media = Self.object(media)
        let named = Self.object(Self.object(media["examples"])[name ?? ""])["value"]
        let text = (media["example"] ?? named).map(Self.text)
        return AnswerExample(status: status, type: type, content: text, isShared: isShared)
      }
    }
  }

  /// Resolves a reference to a component.
  private func resolve(_ value: Any?) -> [String: Any] {
    let object = Self.object(value)
    guard let target = object["$ref"] as? String else { return object }
    return target.split(separator: "/").dropFirst().reduce(document) {
      Self.object($0[String($1)])
    }
  }

  private static func example(_ parameter: [String: Any]) -> (String, String) {
    (parameter["name"] as? String ?? "", parameter["example"].map { "\($0)" } ?? "")
  }

  private static func object(_ value: Any?) -> [String: Any] { value as? [String: Any] ?? [:] }

  private static func list(_ value: Any?) -> [Any] { value as? [Any] ?? [] }

  /// Returns a text unchanged, and other values as JSON with sorted names.
  static func text(_ value: Any) -> String {
    if let text = value as? String { return text }
    let options: JSONSerialization.WritingOptions = [
      .sortedKeys, .fragmentsAllowed, .withoutEscapingSlashes,
    ]
    let data = try? JSONSerialization.data(withJSONObject: value, options: options)
    return data.map { String(decoding: $0, as: UTF8.self) } ?? ""
  }
}
