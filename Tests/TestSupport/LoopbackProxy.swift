import Foundation
import Synchronization

/// A proxy on the loopback address that forwards connections to another port.
///
/// A filter decides on the bytes to forward.
package final class LoopbackProxy: Sendable {
  /// A connection through the proxy, closed when neither direction uses it any more.
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

    /// Ends the connection to the client.
    package func endForClient() { shutdown(client, Int32(SHUT_RDWR)) }

    /// Ends the connections to the client and the server.
    package func end() {
      endForClient()
      shutdown(server, Int32(SHUT_RDWR))
    }
  }

  /// A direction, named after its content.
  package enum Direction: Sendable {
    case requests, answers
  }

  /// A function that returns the bytes to forward. It may block, and may end the connection.
  package typealias Filter = @Sendable (_ bytes: [UInt8], _ to: Direction, _ line: Line) -> [UInt8]

  /// The port of the proxy.
  package let port: Int
  private let listener: Int32
  private let target: Mutex<Int>
  private let filter: Filter

  /// Listens on a free port, and forwards connections to a port.
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

  /// Forwards new connections to another port.
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
      Self.forward(from: client, to: server, line) { filter($0, .requests, line) }
    }
    Thread.detachNewThread {
      Self.forward(from: server, to: client, line) { filter($0, .answers, line) }
    }
  }

  private static func forward(
    from source: Int32,
    to sink: Int32,
    _ line: Line,
    _ filter: ([UInt8]) -> [UInt8]
  ) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      let bytes = filter(Array(buffer[..<count]))
      if unsafe send(sink, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < 0 { break }
    }
    line.end()
  }
}
