import Foundation
import Synchronization

/// A listener on the loopback address that passes connections on to another port.
///
/// A filter decides which of their bytes are passed on.
package final class LoopbackProxy: Sendable {
  /// A connection through the proxy, closed when neither direction needs it any more.
  package final class Line: Sendable {
    fileprivate let client: Int32
    fileprivate let server: Int32

    fileprivate init(_ client: Int32, _ server: Int32) {
      (self.client, self.server) = (client, server)
    }

    deinit {
      close(client)
      close(server)
    }

    /// Ends the connection for the client.
    package func endForClient() { shutdown(client, Int32(SHUT_RDWR)) }

    /// Ends both halves of the connection.
    package func end() {
      endForClient()
      shutdown(server, Int32(SHUT_RDWR))
    }
  }

  /// A direction, by what flows there.
  package enum Direction: Sendable {
    case requests, answers
  }

  /// Returns the bytes that are passed on; it may block, and may end the connection.
  package typealias Filter = @Sendable (_ bytes: [UInt8], _ to: Direction, _ line: Line) -> [UInt8]

  /// The port that it listens on.
  package let port: Int
  private let listener: Int32
  private let target: Mutex<Int>
  private let filter: Filter

  /// Listens, and passes connections on to a port.
  package init(to target: Int, filter: @escaping Filter) throws {
    self.target = Mutex(target)
    self.filter = filter
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = Self.loopback(0)
    var length = socklen_t(MemoryLayout<sockaddr_in>.size)
    let isBound = unsafe withUnsafeMutablePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe bind(listener, address, length) == 0 && listen(listener, 50) == 0
          && getsockname(listener, address, &length) == 0
      }
    }
    guard isBound else { throw CocoaError(.fileReadUnknown) }
    port = Int(UInt16(bigEndian: address.sin_port))
    self.listener = listener
    Thread.detachNewThread { [weak self] in
      while true {
        let client = accept(listener, nil, nil)
        guard client >= 0, let self else { return }
        self.serve(client)
      }
    }
  }

  deinit {
    shutdown(listener, Int32(SHUT_RDWR))
    close(listener)
  }

  /// Passes connections on to another port from now on.
  package func lead(to port: Int) { target.withLock { $0 = port } }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return address
  }

  private func serve(_ client: Int32) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    var address = Self.loopback(target.withLock { $0 })
    let isConnected = unsafe withUnsafePointer(to: &address) { pointer in
      unsafe pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { address in
        unsafe connect(server, address, socklen_t(MemoryLayout<sockaddr_in>.size)) == 0
      }
    }
    guard isConnected else {
      close(client)
      close(server)
      return
    }
    let line = Line(client, server)
    let filter = filter
    Thread.detachNewThread {
      Self.pass(from: client, to: server, line) { filter($0, .requests, line) }
    }
    Thread.detachNewThread {
      Self.pass(from: server, to: client, line) { filter($0, .answers, line) }
    }
  }

  private static func pass(
    from source: Int32,
    to sink: Int32,
    _ line: Line,
    _ take: ([UInt8]) -> [UInt8]
  ) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      let bytes = take(Array(buffer[..<count]))
      if unsafe send(sink, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < 0 { break }
    }
    line.end()
  }
}
