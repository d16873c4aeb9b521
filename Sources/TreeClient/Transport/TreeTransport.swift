public import Foundation

/// A request for a transport.
public struct TreeRequest: Sendable {
  /// The method, such as `POST`.
  public var method: String
  /// The complete URL.
  public var url: URL
  /// The header fields by name.
  public var headers: [String: String]
  /// The content; nil for none.
  public var body: Data?

  /// Creates a request.
  public init(method: String, url: URL, headers: [String: String] = [:], body: Data? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// The head of an answer, and its content as a stream.
public struct TreeResponse: Sendable {
  /// The status, such as 200.
  public var status: Int
  /// The content in pieces, decompressed.
  ///
  /// The stream throws if the content is cut off.
  public var body: AsyncThrowingStream<Data, any Error>
  private let headers: [String: String]

  /// Creates an answer.
  public init(
    status: Int,
    headers: [String: String],
    body: AsyncThrowingStream<Data, any Error>
  ) {
    self.status = status
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
    self.body = body
  }

  /// Returns a header field.
  ///
  /// The name is case-insensitive.
  public func header(_ name: String) -> String? { headers[name.lowercased()] }

  /// Reads the content to its end.
  func collected() async throws -> Data {
    var data = Data()
    for try await piece in body { data += piece }
    try Task.checkCancellation()
    return data
  }
}

/// A sender of requests.
///
/// ``URLSessionTransport`` is the default, except on Linux, where `CurlTransport` is.
public protocol TreeTransport: Sendable {
  /// Sends a request once, and returns when the head of the answer has arrived.
  ///
  /// The request must end if the task is cancelled, or if the body of the answer is released.
  ///
  /// - Throws: Any error if there is no answer. The client may send the request again.
  func send(_ request: TreeRequest) async throws -> TreeResponse
}

/// A function around each attempt, which may change the request, log or measure it.
///
/// Its second argument sends the request.
public typealias TreeMiddleware =
  @Sendable (
    _ request: TreeRequest,
    _ next: @Sendable (TreeRequest) async throws -> TreeResponse
  ) async throws -> TreeResponse

/// A key of the service, which a client sends with its requests.
///
/// It is read for each attempt, so that it can be renewed.
public struct TreeCredential: Sendable, ExpressibleByStringLiteral {
  let value: @Sendable () async throws -> String

  /// Creates a credential that a function returns for each attempt.
  public init(_ value: @escaping @Sendable () async throws -> String) { self.value = value }

  /// Creates a credential that stays the same.
  public init(_ value: String) { self.value = { value } }

  /// Creates a credential that stays the same.
  public init(stringLiteral value: String) { self.init(value) }
}
