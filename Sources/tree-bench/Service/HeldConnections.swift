import Glibc
import TreeDomain

/// Many open connections of clients that do not read what they receive.
final class HeldConnections {
  /// The activity of the clients.
  enum Kind: String, CaseIterable {
    case idle
    /// Following a session of a tree that does not change.
    case following
    /// Following a session of a tree that changes ten times a second.
    case told
    /// Requesting 1 000 rows without reading the answer.
    case slow

    /// The number of connections in a benchmark of full size.
    var count: Int {
      switch self {
      case .idle: 9_000
      case .following, .told: 5_000
      case .slow: 500
      }
    }
  }

  private static let changeCount = 20

  private let sockets: [HeldSocket]
  private var writes: PacedWrites?

  /// Opens connections, and sends the request of each.
  ///
  /// - Parameters:
  ///   - kind: The activity.
  ///   - count: The number of connections.
  ///   - port: The port of the service.
  ///   - session: The session that they use, made by a ``LeafInserter``.
  ///   - size: The initial number of nodes of its tree.
  init(_ kind: Kind, count: Int, at port: UInt16, _ session: SessionID, size: Int) {
    let request = Self.request(kind, Array("/v1/sessions/".utf8) + session.bytes)
    sockets = (0..<count).map { _ in
      let socket = HeldSocket(port: port)
      socket.send(request)
      return socket
    }
    // What was sent first is answered first.
    ServiceConnection(port: port).exchange(ServiceRequest.get("/healthz".utf8))
    guard kind == .told else { return }
    writes = PacedWrites(Self.changeCount, pausing: 100_000) {
      LeafInserter(port: port, session: session, size: size, first: size)
    }
  }

  /// True if no more changes are made for them.
  var isOver: Bool { writes?.isOver ?? true }

  private static func request(_ kind: Kind, _ path: [UInt8]) -> [UInt8] {
    switch kind {
    case .idle: ServiceRequest.get("/healthz".utf8)
    case .following, .told:
      ServiceRequest.get(path + "/changes".utf8, accept: "text/event-stream")
    case .slow: ServiceRequest.get(path + "/rows?limit=1000".utf8)
    }
  }
}

/// A connection that is held open.
private final class HeldSocket {
  private let socket: LoopbackSocket

  init(port: UInt16) { socket = LoopbackSocket(port: port) }

  func send(_ bytes: [UInt8]) { socket.send(bytes) }
}
