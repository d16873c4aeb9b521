#if canImport(FoundationNetworking)
import Foundation
public import FoundationNetworking
#else
public import Foundation
#endif

/// A transport over `URLSession`.
///
/// It uses no cache and no cookies. The client sets the time limits.
public final class URLSessionTransport: TreeTransport {
  private let session: URLSession
  private let exchanges = Exchanges()

  /// Creates a transport.
  ///
  /// - Parameter configuration: The settings, for example of proxies. Time limits, cache and
  ///   cookies are overwritten.
  public init(configuration: URLSessionConfiguration = .ephemeral) {
    configuration.urlCache = nil
    configuration.requestCachePolicy = .reloadIgnoringLocalCacheData
    configuration.httpCookieStorage = nil
    configuration.httpShouldSetCookies = false
    // Each view has a connection that stays open.
    configuration.httpMaximumConnectionsPerHost = 32
    configuration.timeoutIntervalForRequest = 86_400
    configuration.timeoutIntervalForResource = 7 * 86_400
    let (news, told) = AsyncStream.makeStream(of: News.self)
    session = URLSession(
      configuration: configuration,
      delegate: Receiver(told: told),
      delegateQueue: nil
    )
    Task { [exchanges] in
      for await piece in news { await exchanges.accept(piece) }
      await exchanges.end()
    }
  }

  deinit { session.invalidateAndCancel() }

  /// Sends a request, once.
  public func send(_ request: TreeRequest) async throws -> TreeResponse {
    var sent = URLRequest(url: request.url, timeoutInterval: 86_400)
    sent.httpMethod = request.method
    sent.httpBody = request.body
    for (name, value) in request.headers { sent.setValue(value, forHTTPHeaderField: name) }
    let (heads, head) = AsyncThrowingStream.makeStream(of: HTTPURLResponse.self)
    let (pieces, piece) = AsyncThrowingStream.makeStream(of: Data.self)
    let task = session.dataTask(with: sent)
    // The request ends when the content is released.
    piece.onTermination = { reason in if case .cancelled = reason { task.cancel() } }
    await exchanges.begin(task.taskIdentifier, Exchange(head: head, piece: piece))
    return try await withTaskCancellationHandler {
      task.resume()
      for try await response in heads {
        let headers = response.allHeaderFields.compactMap { name, value in
          (name as? String).map { ($0, "\(value)") }
        }
        return TreeResponse(
          status: response.statusCode,
          headers: Dictionary(headers) { $1 },
          body: pieces
        )
      }
      throw CancellationError()
    } onCancel: {
      task.cancel()
    }
  }

  /// An event of a URL session task.
  private struct News: Sendable {
    enum Kind: Sendable {
      case head(HTTPURLResponse)
      case piece(Data)
      case end((any Error)?)
    }

    var task: Int
    var kind: Kind
  }

  /// A running request.
  private struct Exchange: Sendable {
    let head: AsyncThrowingStream<HTTPURLResponse, any Error>.Continuation
    let piece: AsyncThrowingStream<Data, any Error>.Continuation

    func end(_ error: (any Error)?) {
      head.finish(throwing: error)
      piece.finish(throwing: error)
    }
  }

  /// The running requests, by the numbers of their tasks.
  private actor Exchanges {
    private var open: [Int: Exchange] = [:]

    func begin(_ task: Int, _ exchange: Exchange) { open[task] = exchange }

    func accept(_ news: News) {
      switch news.kind {
      case .head(let response):
        open[news.task]?.head.yield(response)
        open[news.task]?.head.finish()
      case .piece(let data): open[news.task]?.piece.yield(data)
      case .end(let error): open.removeValue(forKey: news.task)?.end(error)
      }
    }

    /// Ends the remaining requests after the session is invalidated.
    func end() {
      for exchange in open.values { exchange.end(URLError(.cancelled)) }
      open = [:]
    }
  }

  /// The delegate of the URL session, because tasks cannot have their own on Linux.
  private final class Receiver: NSObject, URLSessionDataDelegate, Sendable {
    private let told: AsyncStream<News>.Continuation

    init(told: AsyncStream<News>.Continuation) { self.told = told }

    func urlSession(
      _ session: URLSession,
      dataTask: URLSessionDataTask,
      didReceive response: URLResponse,
      completionHandler: @escaping @Sendable (URLSession.ResponseDisposition) -> Void
    ) {
      if let response = response as? HTTPURLResponse {
        told.yield(News(task: dataTask.taskIdentifier, kind: .head(response)))
      }
      completionHandler(.allow)
    }

    // The client itself follows redirections, so that no credential goes to another host.
    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      willPerformHTTPRedirection response: HTTPURLResponse,
      newRequest request: URLRequest,
      completionHandler: @escaping @Sendable (URLRequest?) -> Void
    ) {
      completionHandler(nil)
    }

    func urlSession(_ session: URLSession, dataTask: URLSessionDataTask, didReceive data: Data) {
      told.yield(News(task: dataTask.taskIdentifier, kind: .piece(data)))
    }

    func urlSession(
      _ session: URLSession,
      task: URLSessionTask,
      didCompleteWithError error: (any Error)?
    ) {
      told.yield(News(task: task.taskIdentifier, kind: .end(error)))
    }

    func urlSession(_ session: URLSession, didBecomeInvalidWithError error: (any Error)?) {
      told.finish()
    }
  }
}
