#if canImport(FoundationNetworking)
import CCurl
import Foundation
import Synchronization

/// The thread and the connections of a ``CurlTransport``.
final class CurlLine: Sendable {
  private struct State {
    var begun: [CurlExchange] = []
    var isClosed = false
  }

  /// An exchange that libcurl has, and its handle there.
  @safe private struct Running {
    let exchange: CurlExchange
    let handle: OpaquePointer
  }

  /// The signal that ends the wait of the thread.
  private let signal: Int32
  private let state = Mutex(State())

  /// Opens a line; nil without libcurl.
  init?() {
    guard ccurl_is_installed() == 1 else { return nil }
    signal = ccurl_new_signal()
    guard signal >= 0 else { return nil }
    let thread = Thread { self.run() }
    thread.name = "tree-client"
    thread.start()
  }

  /// Begins an exchange.
  func begin(_ exchange: CurlExchange) {
    state.withLock { $0.begun.append(exchange) }
    wake()
  }

  /// Ends an exchange for its caller.
  func cancel(_ exchange: CurlExchange) {
    exchange.cancel()
    wake()
  }

  /// Ends all exchanges and the thread.
  func close() {
    state.withLock { state in
      // Once the thread sees that it is closed, the signal is gone.
      ccurl_send_signal(signal)
      state.isClosed = true
    }
  }

  private func wake() {
    state.withLock { state in
      if !state.isClosed { ccurl_send_signal(signal) }
    }
  }

  private func run() {
    guard let line = unsafe ccurl_open(signal) else { preconditionFailure("There is no line.") }
    var running: [Running] = []
    while true {
      let (begun, isClosed) = state.withLock { state in
        defer { state.begun = [] }
        return (state.begun, state.isClosed)
      }
      for exchange in begun where !exchange.isCancelled {
        running.append(unsafe Running(exchange: exchange, handle: start(exchange, on: line)))
      }
      running.removeAll { entry in
        guard isClosed || entry.exchange.isCancelled else { return false }
        unsafe ccurl_cancel(line, entry.handle)
        entry.exchange.cancel()
        return true
      }
      if isClosed { break }
      unsafe ccurl_work(line)
      running.removeAll { $0.exchange.isOver }
    }
    unsafe ccurl_close(line)
  }

  /// Passes an exchange to libcurl.
  ///
  /// The exchange outlives its handle there, because `run()` holds it.
  private func start(_ exchange: CurlExchange, on line: OpaquePointer) -> OpaquePointer {
    let receiver = unsafe ccurl_receiver(
      context: Unmanaged.passUnretained(exchange).toOpaque(),
      line: { context, bytes, count in
        let line = unsafe String(decoding: CurlLine.bytes(bytes, count), as: UTF8.self)
        unsafe CurlLine.exchange(context).receive(line: line.prefix { !$0.isNewline })
      },
      piece: { context, bytes, count in
        unsafe CurlLine.exchange(context).receive(piece: Data(CurlLine.bytes(bytes, count)))
      },
      end: { context, fault in
        unsafe CurlLine.exchange(context).end(fault.map { unsafe String(cString: $0) })
      }
    )
    let request = exchange.request
    let fields = unsafe exchange.fields.map { unsafe UnsafePointer(strdup($0)) } + [nil]
    defer { unsafe fields.forEach { unsafe free(UnsafeMutablePointer(mutating: $0)) } }
    return unsafe (request.body ?? Data()).withUnsafeBytes { body in
      unsafe ccurl_begin(
        line,
        request.url.absoluteString,
        request.method,
        fields,
        body.baseAddress?.assumingMemoryBound(to: CChar.self),
        body.count,
        receiver
      )
    }
  }

  private static func exchange(_ context: UnsafeMutableRawPointer?) -> CurlExchange {
    guard let context = unsafe context else { preconditionFailure("There is no exchange.") }
    return unsafe Unmanaged<CurlExchange>.fromOpaque(context).takeUnretainedValue()
  }

  private static func bytes(_ start: UnsafePointer<CChar>?, _ count: Int) -> UnsafeRawBufferPointer
  {
    unsafe UnsafeRawBufferPointer(start: start, count: count)
  }
}
#endif
