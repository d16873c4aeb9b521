public import Foundation

/// A request, ready to be sent.
public struct TreeRequest: Sendable {
  /// The method, such as `POST`.
  public var method: String
  /// The whole address.
  public var url: URL
  /// The fields of the head, by their names.
  public var headers: [String: String]
  /// The content; nil for none.
  public var body: Data?

  /// Makes a request.
  public init(method: String, url: URL, headers: [String: String] = [:], body: Data? = nil) {
    self.method = method
    self.url = url
    self.headers = headers
    self.body = body
  }
}

/// The head of an answer, and its content as it comes.
public struct TreeResponse: Sendable {
  /// The status, such as 200.
  public var status: Int
  /// The content in pieces, decompressed.
  ///
  /// It ends with an error if it was cut off.
  public var body: AsyncThrowingStream<Data, any Error>
  private let headers: [String: String]

  /// Makes an answer.
  public init(
    status: Int,
    headers: [String: String],
    body: AsyncThrowingStream<Data, any Error>
  ) {
    self.status = status
    self.headers = Dictionary(headers.map { ($0.key.lowercased(), $0.value) }) { $1 }
    self.body = body
  }

  /// Returns a field of the head, by its name in any case.
  public func header(_ name: String) -> String? { headers[name.lowercased()] }

  /// Reads the content to its end.
  func collected() async throws -> Data {
    var data = Data()
    for try await piece in body { data += piece }
    try Task.checkCancellation()
    return data
  }
}

/// A way to send requests.
///
/// ``URLSessionTransport`` is what a client has if it is given no other.
public protocol TreeTransport: Sendable {
  /// Sends a request, once. Returns when the head of the answer is there.
  ///
  /// A cancelled task ends the request. So does whoever lets go of the content of the answer.
  ///
  /// - Throws: Any error if there is no answer; the client may send the request again.
  func send(_ request: TreeRequest) async throws -> TreeResponse
}

/// A step around each attempt to send a request: it may change the request, log, or measure.
///
/// The second argument sends the request on.
public typealias TreeMiddleware =
  @Sendable (
    _ request: TreeRequest,
    _ next: @Sendable (TreeRequest) async throws -> TreeResponse
  ) async throws -> TreeResponse

/// A key of the service, which a client shows to be let in.
///
/// It is asked for each attempt, so that it can be renewed.
public struct TreeCredential: Sendable, ExpressibleByStringLiteral {
  let value: @Sendable () async throws -> String

  /// Makes a credential that is read when it is needed.
  public init(_ value: @escaping @Sendable () async throws -> String) { self.value = value }

  /// Makes a credential that stays the same.
  public init(_ value: String) { self.value = { value } }

  /// Makes a credential that stays the same.
  public init(stringLiteral value: String) { self.init(value) }
}
