public import Foundation

/// A client of the tree service.
///
/// Requests are sent again after 408, 429, 5xx and lost connections. The wait is `Retry-After` and
/// a random time (full jitter) of up to 1 s, which doubles up to 32 s. After lost connections, it
/// ends when the service answers another request. Other errors are thrown at once, as a
/// ``TreeProblem``. Every write has an `Idempotency-Key`, so that it is applied once even if it is
/// sent repeatedly. A cancelled task ends its request and throws `CancellationError`.
public final class TreeClient: Sendable {
  /// The address of the service, with the path before `/v1` if there is one.
  public let baseURL: URL
  private let root: String
  private let credential: TreeCredential?
  private let transport: any TreeTransport
  private let middleware: [TreeMiddleware]
  let pacing: Pacing
  /// The answers that end waits of other requests.
  let answers = Answers()

  /// Creates a client, without sending a request.
  ///
  /// - Parameters:
  ///   - baseURL: The address of the service, such as `http://127.0.0.1:8080`.
  ///   - credential: A key of the service, if it has keys.
  ///   - transport: The sender of requests; nil for `URLSession`, or on Linux for libcurl.
  ///   - middleware: Functions around each attempt, the outermost first.
  public convenience init(
    baseURL: URL,
    credential: TreeCredential? = nil,
    transport: (any TreeTransport)? = nil,
    middleware: [TreeMiddleware] = []
  ) {
    self.init(baseURL, credential, transport ?? Self.usualTransport, middleware, Pacing())
  }

  /// The transport of clients that name none.
  static var usualTransport: any TreeTransport {
    #if canImport(FoundationNetworking)
    if let transport = CurlTransport() { return transport }
    #endif
    return URLSessionTransport()
  }

  init(
    _ baseURL: URL,
    _ credential: TreeCredential?,
    _ transport: any TreeTransport,
    _ middleware: [TreeMiddleware],
    _ pacing: Pacing
  ) {
    self.baseURL = baseURL
    var root = baseURL.absoluteString[...]
    while root.last == "/" { root.removeLast() }
    self.root = String(root)
    self.credential = credential
    self.transport = transport
    self.middleware = middleware
    self.pacing = pacing
  }

  /// Creates a session.
  public func createSession(
    _ session: NewSession,
    _ options: RequestOptions = RequestOptions()
  ) async throws -> TreeSession {
    var call = Call(.createSession, options)
    call.body = try JSONCoding.encode(session)
    let made: SessionDescription = try await answer(call)
    return TreeSession(self, id: made.session, secret: made.secret, description: made)
  }

  /// Opens a session by its id, and if the service has keys, by its secret.
  public func openSession(
    _ id: String,
    secret: String? = nil,
    _ options: ReadOptions = ReadOptions()
  ) async throws -> TreeSession {
    let session = TreeSession(self, id: id, secret: secret, description: nil)
    let description = try await session.getSession(options)
    return TreeSession(self, id: id, secret: secret, description: description)
  }

  /// A request for an operation of `openapi.yaml`.
  struct Call: Sendable {
    var route: Route
    var values: [String]
    var query: Query
    var body: Data?
    var contentType: String
    var headers: [String: String] = [:]
    var options: RequestOptions
    /// The secret of a session, sent instead of the client's credential.
    var secret: String?

    init(
      _ route: Route,
      _ values: [String] = [],
      _ query: Query = [:],
      _ options: RequestOptions = RequestOptions()
    ) {
      self.route = route
      self.values = values
      self.query = query
      self.options = options
      contentType = route.method == "PATCH" ? "application/merge-patch+json" : "application/json"
    }

    init(_ route: Route, _ options: RequestOptions) { self.init(route, [], [:], options) }
  }

  /// Sends a request until it is answered, and decodes the answer.
  func answer<Value: Decodable & Sendable>(_ call: Call) async throws -> Value {
    try await run(call) { try JSONCoding.decode(Value.self, from: $0) }
  }

  /// Sends a request until it is answered, and decodes the content with a function.
  ///
  /// If the function throws a retryable error, the request is sent again.
  func run<Value: Sendable>(
    _ call: Call,
    _ read: @escaping @Sendable (Data) throws -> Value
  ) async throws -> Value {
    var call = call
    if call.route.writes && call.options.idempotencyKey == nil {
      call.options.idempotencyKey = UUID().uuidString
    }
    let final = call
    return try await retrying(call.options) {
      try await Watchdog.run(limit: final.options.timeout) { watchdog in
        let response = try await self.send(final)
        var data = Data()
        for try await piece in response.body {
          data += piece
          await watchdog.feed()
        }
        try Task.checkCancellation()
        return try read(data)
      }
    }
  }

  /// Repeats attempts until one succeeds or fails with an error that a retry does not help.
  private func retrying<Value>(
    _ options: RequestOptions,
    _ attempt: () async throws -> Value
  ) async throws -> Value {
    var count = 0
    var backoff = Backoff(self)
    while true {
      do {
        return try await attempt()
      } catch {
        try Task.checkCancellation()
        let problem = TreeProblem(error)
        guard problem.isRetryable, count + 1 < options.attempts else { throw problem }
        options.onRetry?(problem)
        try await backoff.pause(after: problem)
        count += 1
      }
    }
  }

  /// Sends a request once.
  ///
  /// - Throws: ``TreeProblem`` for an error status; the errors of the transport.
  func send(_ call: Call) async throws -> TreeResponse {
    var request = try await request(call)
    var response = try await step(0, request)
    if let target = Self.redirection(of: request, by: response) {
      request.url = target
      response = try await step(0, request)
    }
    // A service that is overloaded is not over an outage.
    if response.status < 500 && response.status != 429 { await answers.arrive() }
    guard !(200..<300).contains(response.status) else { return response }
    var problem = try await Self.problem(of: response)
    problem.status = response.status
    problem.retryAfter = response.header("Retry-After").flatMap(Double.init) ?? 0
    throw problem
  }

  /// Decodes the problem in an answer.
  ///
  /// - Throws: A retryable error if the answer was cut off, because the caller may need its code.
  private static func problem(of response: TreeResponse) async throws -> TreeProblem {
    let content = try await response.collected()
    do {
      return try JSONCoding.decode(TreeProblem.self, from: content)
    } catch let error as TreeProblem {
      let isOfService = response.header("Content-Type")?.hasPrefix("application/problem+json")
      if isOfService == true && error.isRetryable { throw error }
      // The answer is not from the service, but from a login page, for example.
      return TreeProblem(code: "http-\(response.status)", detail: "The answer tells no reason.")
    }
  }

  /// Returns the target of a redirected read if it is on the same service; otherwise nil.
  private static func redirection(of request: TreeRequest, by response: TreeResponse) -> URL? {
    guard request.method == "GET", [301, 302, 303, 307, 308].contains(response.status),
      let location = response.header("Location"),
      let target = URL(string: location, relativeTo: request.url)?.absoluteURL,
      target.scheme == request.url.scheme, target.host() == request.url.host(),
      target.port == request.url.port
    else { return nil }
    return target
  }

  private func step(_ index: Int, _ request: TreeRequest) async throws -> TreeResponse {
    guard index < middleware.count else { return try await transport.send(request) }
    return try await middleware[index](request) { try await self.step(index + 1, $0) }
  }

  private func request(_ call: Call) async throws -> TreeRequest {
    let query = call.query.compactMapValues { $0 }.sorted { $0.key < $1.key }
      .map { "\($0.key)=\($0.value.percentEncoded)" }.joined(separator: "&")
    let path = try call.route.path(call.values) + (query.isEmpty ? "" : "?" + query)
    guard let url = URL(string: root + path), ["http", "https"].contains(url.scheme) else {
      throw TreeProblem(code: "invalid-request", detail: "\(root) lacks http://")
    }
    var headers = call.headers
    if let secret = call.secret {
      headers["Authorization"] = "Bearer \(secret)"
    } else if let credential {
      headers["Authorization"] = "Bearer \(try await credential.value())"
    }
    headers["If-Match"] = call.options.ifMatch.map { "\"\($0)\"" }
    headers["Idempotency-Key"] = call.options.idempotencyKey
    if call.body != nil { headers["Content-Type"] = call.contentType }
    headers.merge(call.options.headers) { $1 }
    return TreeRequest(
      method: call.route.method,
      url: url,
      headers: headers,
      body: call.body
    )
  }
}
