package import HTTP
import Glibc
import Synchronization

/// A sender of requests to other servers, with a thread and a pool of connections of its own.
package final class Upstream: RequestForwarder {
  private static let stackBytes = 1 << 20

  private let resources: UpstreamResources
  private let metrics = UpstreamMetrics()
  private let thread: Mutex<pthread_t?>

  /// Starts the thread.
  ///
  /// - Parameters:
  ///   - options: The times and limits of connections.
  ///   - limits: The limits of the heads of responses.
  /// - Throws: A ``ServerError`` if a thread or descriptor cannot be created.
  package init(
    options: UpstreamOptions = UpstreamOptions(),
    limits: Limits = Limits()
  ) throws(ServerError) {
    do throws(SystemError) {
      let resources = try UpstreamResources()
      let thread = try Syscalls.startThread(stackBytes: Self.stackBytes) { [metrics] in
        UpstreamLoop(options, limits, resources, metrics).run()
      }
      self.resources = resources
      self.thread = Mutex(thread)
    } catch {
      throw .system(error)
    }
  }

  /// Starts sending a request.
  package func send(_ request: OutgoingRequest, to address: String) -> any ForwardedExchange {
    let exchange = UpstreamExchange(request, to: address, resources)
    exchange.start()
    return exchange
  }

  /// Ends all exchanges and the thread.
  ///
  /// Must be called after the server has stopped, and before this is released. Calling it again
  /// does nothing.
  package func stop() {
    let thread = thread.withLock { $0.take() }
    guard let thread else { return }
    resources.stop()
    Syscalls.join(thread)
  }

  /// Writes the current metrics.
  ///
  /// Safe from any thread.
  package func write(to writer: inout MetricsWriter) { metrics.write(to: &writer) }

  /// Returns true if a text is an address that requests can be sent to.
  ///
  /// - Parameter text: A numeric host or `localhost`, a colon and a port in 1...65535. An IPv6
  ///   address is in brackets (RFC 3986, 3.2.2).
  /// - Returns: True if it is.
  package static func isAddress(_ text: String) -> Bool { address(text) != nil }

  /// Returns the address that a text names, or nil.
  static func address(_ text: String) -> SocketAddress? {
    guard let colon = text.utf8.lastIndex(of: UInt8(ascii: ":")) else { return nil }
    let digits = text[text.utf8.index(after: colon)...]
    guard digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }), let port = UInt16(digits),
      port > 0
    else { return nil }
    var host = text[..<colon]
    let isBracketed = host.hasPrefix("[") && host.hasSuffix("]")
    if isBracketed { host = host.dropFirst().dropLast() }
    guard isBracketed == host.utf8.contains(UInt8(ascii: ":")) else { return nil }
    return SocketAddress(host: String(host), port: port)
  }
}
