import Glibc
import TreeDomain

/// Many connections of clients that leave them open, and do not read what comes.
final class HeldConnections {
  /// What the clients are at.
  enum Kind: String, CaseIterable {
    case idle
    /// Following a session to whose tree nothing happens.
    case following
    /// Following a session to whose tree something happens ten times a second.
    case told
    /// Asking for 1 000 rows and taking none of them.
    case slow

    /// How many of them there are in a benchmark of full size.
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

  /// Opens so many, and sends what each has to ask.
  ///
  /// - Parameters:
  ///   - kind: What they are at.
  ///   - count: How many.
  ///   - port: Where the service is.
  ///   - session: The session they look at, made by a ``LeafInserter``.
  ///   - size: How many nodes its tree had to begin with.
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

  /// Whether nothing more happens to them.
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

/// One of them.
private final class HeldSocket {
  private let socket: LoopbackSocket

  init(port: UInt16) { socket = LoopbackSocket(port: port) }

  func send(_ bytes: [UInt8]) { socket.send(bytes) }
}
