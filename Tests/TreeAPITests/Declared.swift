import HTTP
import Testing
import TreeAPI
import TreeSessions

/// What the description of the API says that requests can be answered with.
struct Declared: Sendable {
  private struct Operation {
    var method: String
    var path: [Substring]
    var statuses: Set<Int> = []
  }

  /// The one the service gives.
  static let description: Declared? = {
    guard let request = try? Request(method: .get, target: "/openapi.yaml"),
      let response = try? TreeAPI(service: SessionStore()).answer(to: request)
    else { return nil }
    return Declared(String(decoding: response.body, as: UTF8.self))
  }()

  /// Problems that can meet any request, and are declared once for all.
  private static let common: Set = [
    "route-not-found", "method-not-allowed", "invalid-request", "overloaded",
  ]

  private var operations: [Operation] = []

  /// Reads the paths, which the file has in a regular form.
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

  /// Returns the segments of a path; one that ends with a slash has an empty last one.
  private static func segments(of path: Substring) -> [Substring] {
    path.split(separator: "/", omittingEmptySubsequences: false)
  }

  /// Returns true if a request can be answered so.
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
