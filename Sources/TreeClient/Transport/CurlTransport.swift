#if canImport(FoundationNetworking)
/// A transport over libcurl: the default on Linux.
///
/// `URLSession` of Foundation for Linux ends the process if a connection ends inside the head of an
/// answer, and may take a whole core while a request waits. It needs libcurl as well. The client
/// sets the time limits. Settings of proxies are read from the environment, such as `https_proxy`.
public final class CurlTransport: TreeTransport {
  private let line: CurlLine

  /// Creates a transport; nil if libcurl 7.66 or later is not installed.
  public init?() {
    guard let line = CurlLine() else { return nil }
    self.line = line
  }

  deinit { line.close() }

  /// Sends a request, once.
  public func send(_ request: TreeRequest) async throws -> TreeResponse {
    for (name, value) in request.headers where name.hasLineBreak || value.hasLineBreak {
      throw TreeProblem(code: "invalid-request", detail: "The header \(name) has a line break.")
    }
    let exchange = CurlExchange(request)
    return try await withTaskCancellationHandler {
      line.begin(exchange)
      return try await exchange.response { [line] in line.cancel(exchange) }
    } onCancel: {
      line.cancel(exchange)
    }
  }
}

extension String {
  /// True if a field of a head would end inside the text.
  fileprivate var hasLineBreak: Bool { utf8.contains { [0, 10, 13].contains($0) } }
}
#endif
