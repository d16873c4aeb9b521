import TestSupport

/// A request about one node, of which the client makes the URL as its users do.
struct NamesOrder {
  let method: String
  /// The part of the path before the key.
  var before = ""
  /// The key, which the client encodes.
  let key: String
  /// The key as it stands in the path, where the client must not encode it itself.
  var segment: String?
  /// The part of the path after the key.
  var after = ""
  var body: String?

  /// The order as JSON for clients that read it.
  var json: [UInt8] {
    func text(_ text: String?) -> [UInt8] { text.map { JSONText.string($0) } ?? RawJSON.null.bytes }
    return JSONText.object([
      ("method", text(method)), ("before", text(before)), ("key", text(key)),
      ("segment", text(segment)), ("after", text(after)), ("body", text(body)),
    ])
  }
}

/// A program that sends requests, with its own opinion about paths.
protocol NamesClient {
  /// Sends a request, and returns the status and the content of its answer.
  func send(_ order: NamesOrder) throws -> (status: Int, content: RawJSON?)
}

/// The programs that the tests drive.
enum NamesProgram {
  case curl, curlAsIs, httpClient, requests, chromium

  /// True if it is installed.
  var isInstalled: Bool {
    switch self {
    case .curl, .curlAsIs: Tool.isInstalled("curl")
    case .httpClient: PythonClient.interpreter(with: "http.client") != nil
    case .requests: PythonClient.interpreter(with: "requests") != nil
    case .chromium: NginxProxy.isInstalled && Browser.isInstalled
    }
  }

  /// Starts it as a client of the service at a port of this machine.
  func client(ofPort port: UInt16) throws -> any NamesClient {
    switch self {
    case .curl: CurlClient(port: port, arguments: [])
    case .curlAsIs: CurlClient(port: port, arguments: ["--path-as-is"])
    case .httpClient: try PythonClient("http.client", port: port)
    case .requests: try PythonClient("requests", port: port)
    case .chromium: try BrowserClient(port: port)
    }
  }
}

/// The program curl, for which its users encode keys.
struct CurlClient: NamesClient {
  let port: UInt16
  let arguments: [String]

  func send(_ order: NamesOrder) throws -> (status: Int, content: RawJSON?) {
    let segment = order.segment ?? ModelKey(order.key).pathSegment
    let url = "http://127.0.0.1:\(port)\(order.before)\(segment)\(order.after)"
    // Braces and brackets in a URL would be patterns.
    var words = arguments + ["-g", "-X", order.method]
    if let body = order.body { words += ["--json", body] }
    let answer = try Curl(words + [url])
    guard let status = answer.head.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw WireError("curl gives no status: \(answer.head)") }
    return (status, try? RawJSON(parsing: answer.content))
  }
}
