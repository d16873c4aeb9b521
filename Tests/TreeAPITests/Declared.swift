import HTTP
import Testing
import TreeAPI
import TreeSessions

/// The statuses that the description of the API declares for requests.
struct Declared: Sendable {
  private struct Operation {
    var method: String
    var path: [Substring]
    var statuses: Set<Int> = []
  }

  /// The description that the service serves.
  static let description: Declared? = {
    guard let request = try? Request(method: .get, target: "/openapi.yaml"),
      let response = try? TreeAPI(service: SessionStore()).answer(to: request)
    else { return nil }
    return Declared(String(decoding: response.body, as: UTF8.self))
  }()

  /// The problems of all requests, which are declared once.
  private static let common: Set = [
    "route-not-found", "method-not-allowed", "invalid-request", "overloaded",
  ]

  private var operations: [Operation] = []

  /// Parses the paths, which have a regular form in the file.
  private init(_ text: String) {
    var path: [Substring] = []
    for line in text.split(separator: "\n").prefix(while: { $0 != "components:" }) {
      let indentation = line.prefix { $0 == " " }.count
      let name = line.dropFirst(indentation).prefix { $0 != ":" }
      switch indentation {
      case 2 where name.hasPrefix("/"): path = Self.segments(of: name)
      case 4: operations.append(Operation(method: name.uppercased(), path: path))
      case 8 where name.hasPrefix("'"):
        if let status = Int(name.dropFirst().dropLast()), !operations.isEmpty {
          operations[operations.count - 1].statuses.insert(status)
        }
      default: break
      }
    }
  }

  /// Returns the segments of a path. A path that ends with a slash has an empty last segment.
  private static func segments(of path: Substring) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }

  /// Returns true if an answer is declared for a request.
  func allows(_ answer: Answer, to method: Method, _ target: String) -> Bool {
    let segments = Self.segments(of: target.prefix { $0 != "?" })
    let name = method == .head ? "GET" : method.rawValue
    let operation = operations.first { operation in
      operation.method == name && operation.path.count == segments.count
        && zip(operation.path, segments).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
    }
    if operation?.statuses.contains(answer.status) == true { return true }
    return method == .options || Declared.common.contains(answer.code ?? "")
  }
}
