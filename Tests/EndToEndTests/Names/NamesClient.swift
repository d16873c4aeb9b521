import TestSupport

/// A request about one node. The client makes its URL in the usual way of its users.
struct NamesOrder {
  let method: String
  /// The part of the path before the key.
  var before = ""
  /// The key, not encoded.
  let key: String
  /// The encoded key, which the client must not encode again; nil if the client encodes the key.
  var segment: String?
  /// The part of the path after the key.
  var after = ""
  var body: String?

  /// The order as JSON, for clients that read it.
  var json: [UInt8] {
    func text(_ text: String?) -> [UInt8] { text.map { JSONText.string($0) } ?? RawJSON.null.bytes }
    return JSONText.object([
      ("method", text(method)), ("before", text(before)), ("key", text(key)),
      ("segment", text(segment)), ("after", text(after)), ("body", text(body)),
    ])
  }
}

/// A client program, which treats paths in its own way.
protocol NamesClient {
  /// Sends a request, and returns the status and the content of its answer.
  func send(_ order: NamesOrder) throws -> (status: Int, content: RawJSON?)
}

/// The client programs of these tests.
enum NamesProgram {
  case curl, curlAsIs, httpClient, requests, chromium

  /// True if the program is installed.
  var isInstalled: Bool {
    switch self {
    case .curl, .curlAsIs: Tool.isInstalled("curl")
    case .httpClient: PythonClient.interpreter(with: "http.client") != nil
    case .requests: PythonClient.interpreter(with: "requests") != nil
    case .chromium: NginxProxy.isInstalled && Browser.isInstalled
    }
  }

  /// Starts the program as a client of the service at a port of this machine.
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

/// The program curl, with keys encoded by the caller.
struct CurlClient: NamesClient {
  let port: UInt16
  let arguments: [String]

  func send(_ order: NamesOrder) throws -> (status: Int, content: RawJSON?) {
    let segment = order.segment ?? ModelKey(order.key).pathSegment
    let url = "http://127.0.0.1:\(port)\(order.before)\(segment)\(order.after)"
    // The option `-g` disables patterns in braces and brackets.
    var words = arguments + ["-g", "-X", order.method]
    if let body = order.body { words += ["--json", body] }
    let answer = try Curl(words + [url])
    guard let status = answer.head.split(separator: " ").dropFirst().first.flatMap({ Int($0) })
    else { throw WireError("curl returned no status: \(answer.head)") }
    return (status, try? RawJSON(parsing: answer.content))
  }
}
