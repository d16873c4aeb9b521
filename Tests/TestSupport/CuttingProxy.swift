import Foundation
import Synchronization

/// A proxy on the loopback address that cuts connections on demand.
package final class CuttingProxy: Sendable {
  /// The treatment of connections.
  package enum Fate: Sendable {
    /// Forwards everything.
    case pass
    /// Cuts the connection instead of forwarding the first answer that contains these bytes.
    case cutAnswer(with: [UInt8])
    /// Cuts the connection after so many bytes of requests.
    case cutRequest(after: Int)
    /// Forwards nothing in either direction.
    case stall
  }

  /// The port of the proxy.
  package let port: Int
  private let listener: Int32
  private let target: Int
  private let fate = Mutex(Fate.pass)
  private let cuts = Atomic(0)

  /// Listens on a free port, and forwards connections to a port.
  package init(to target: Int) throws {
    self.target = target
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
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

  /// Sets the treatment of connections. A cut happens once, then all is forwarded.
  package func set(_ new: Fate) { fate.withLock { $0 = new } }

  /// The number of connections that were cut.
  package var cutCount: Int { cuts.load(ordering: .relaxed) }

  private static func loopback(_ port: Int) -> sockaddr_in {
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_port = in_port_t(UInt16(port)).bigEndian
    address.sin_addr.s_addr = in_addr_t(0x7F00_0001).bigEndian
    return address
  }

  private func serve(_ client: Int32) {
    let server = socket(AF_INET, Int32(SOCK_STREAM.rawValue), 0)
    var address = Self.loopback(target)
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
    let connection = Connection(client, server)
    Thread.detachNewThread { [self] in
      forward(from: client, to: server, connection) { filterRequest($0, connection) }
    }
    Thread.detachNewThread { [self] in
      forward(from: server, to: client, connection) { filterAnswer($0, connection) }
    }
  }

  /// The sockets of a connection, closed when neither direction uses them any more.
  private final class Connection: Sendable {
    let client: Int32
    let server: Int32
    init(_ client: Int32, _ server: Int32) { (self.client, self.server) = (client, server) }
    deinit {
      close(client)
      close(server)
    }
  }

  private func forward(
    from source: Int32,
    to sink: Int32,
    _ connection: Connection,
    _ filter: ([UInt8]) -> [UInt8]
  ) {
    var buffer = [UInt8](repeating: 0, count: 65_536)
    while true {
      let count = unsafe recv(source, &buffer, buffer.count, 0)
      guard count > 0 else { break }
      let bytes = filter(Array(buffer[..<count]))
      if unsafe send(sink, bytes, bytes.count, Int32(MSG_NOSIGNAL)) < 0 { break }
    }
    shutdown(connection.client, Int32(SHUT_RDWR))
    shutdown(connection.server, Int32(SHUT_RDWR))
  }

  /// Returns the bytes of a request to forward.
  private func filterRequest(_ bytes: [UInt8], _ connection: Connection) -> [UInt8] {
    waitWhileStalled()
    let kept = fate.withLock { fate -> Int? in
      guard case .cutRequest(let rest) = fate else { return nil }
      fate = rest < bytes.count ? .pass : .cutRequest(after: rest - bytes.count)
      return rest < bytes.count ? rest : nil
    }
    guard let kept else { return bytes }
    cuts.add(1, ordering: .relaxed)
    shutdown(connection.client, Int32(SHUT_RDWR))
    return Array(bytes[..<kept])
  }

  /// Returns the bytes of an answer to forward.
  private func filterAnswer(_ bytes: [UInt8], _ connection: Connection) -> [UInt8] {
    waitWhileStalled()
    let isCut = fate.withLock { fate -> Bool in
      guard case .cutAnswer(let text) = fate, bytes.firstRange(of: text) != nil else {
        return false
      }
      fate = .pass
      return true
    }
    guard isCut else { return bytes }
    cuts.add(1, ordering: .relaxed)
    shutdown(connection.client, Int32(SHUT_RDWR))
    return []
  }

  private func waitWhileStalled() {
    while true {
      let isStalled = fate.withLock { fate in
        if case .stall = fate { return true }
        return false
      }
      guard isStalled else { return }
      usleep(5_000)
    }
  }
}
