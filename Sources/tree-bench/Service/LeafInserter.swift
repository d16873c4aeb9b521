import TreeDomain

/// A client that inserts leaves at random places of its own tree, and receives the changes of its
/// rows.
final class LeafInserter {
  /// The id of its session.
  let session: SessionID
  private let connection: ServiceConnection
  private let path: [UInt8]
  private let size: Int
  private var random: SplitMix
  private var nextNumber: Int
  /// The prepared requests, the next one last.
  private var prepared: [[UInt8]] = []

  /// Creates a tree by an import, and a session.
  ///
  /// - Parameters:
  ///   - service: The service.
  ///   - size: The initial number of nodes.
  ///   - name: The id of the tree.
  init(_ service: LocalService, size: Int, tree name: String) {
    connection = service.connect()
    self.size = size
    nextNumber = size
    random = SplitMix(seed: 41)
    let tree = Array(#"{"tree":"\#(name)"}"#.utf8)
    connection.expect(201, ServiceRequest.post("/v1/trees".utf8, tree))
    let lines = ImportLines(.tenfold, count: size).bytes
    let type = "application/x-ndjson"
    connection.expect(
      200,
      ServiceRequest.post("/v1/trees/\(name)/import".utf8, lines, type: type)
    )
    connection.expect(201, ServiceRequest.post("/v1/sessions".utf8, tree))
    session = Self.name(in: connection.body)
    path = Array("/v1/sessions/".utf8) + session.bytes + "/batch".utf8
  }

  /// Creates another client for the session of a ``LeafInserter``.
  ///
  /// - Parameters:
  ///   - port: The port of the service.
  ///   - session: The session.
  ///   - size: The initial number of nodes of the tree.
  ///   - first: The number of the first leaf to insert, which must be unused.
  init(port: UInt16, session: SessionID, size: Int, first: Int) {
    connection = ServiceConnection(port: port)
    self.session = session
    self.size = size
    nextNumber = first
    random = SplitMix(seed: 42)
    path = Array("/v1/sessions/".utf8) + session.bytes + "/batch".utf8
  }

  /// Inserts `count` leaves by one batch; returns the checksum of the answer.
  func insert(_ count: Int = 1) -> UInt64 {
    send(count)
    return receive()
  }

  /// Sends a prepared request, or one that inserts `count` leaves.
  func send(_ count: Int = 1) { connection.send(prepared.popLast() ?? request(count)) }

  /// Reports an available answer as an event with a number.
  func report(to events: SocketEvents, as number: Int) {
    connection.report(to: events, as: number)
  }

  /// Prepares the next requests for `count` leaves each, so that this time is not measured.
  func prepare(_ requests: Int, of count: Int = 1) {
    prepared = (0..<requests).map { _ in request(count) }.reversed()
  }

  private func request(_ count: Int) -> [UInt8] {
    var body = Array(#"{"operations":["#.utf8)
    for place in 0..<count {
      body += (place == 0 ? #"{"op":"insert","key":"n"# : #",{"op":"insert","key":"n"#).utf8
      body.append(decimal: nextNumber)
      body += #"","parent":"i"#.utf8
      body.append(decimal: random.below(size))
      body += #"","first":true,"object":{"title":"Leaf","size":4096,"kind":"file"}}"#.utf8
      nextNumber += 1
    }
    return ServiceRequest.post(path, body + Array("]}".utf8))
  }

  /// Waits for the answer.
  func receive() -> UInt64 {
    let status = connection.receive()
    precondition(status == 200, String(decoding: connection.body.prefix(1_000), as: UTF8.self))
    return connection.checksum
  }

  /// Returns the session id from the answer to its creation.
  private static func name(in body: ArraySlice<UInt8>) -> SessionID {
    let mark = Array(#""session":""#.utf8)
    var rest = body
    while !rest.starts(with: mark) { rest = rest.dropFirst() }
    guard let id = SessionID(rest.dropFirst(mark.count).prefix { $0 != 0x22 }) else {
      preconditionFailure("a session without a name")
    }
    return id
  }
}

extension ServiceConnection {
  /// Sends a request, which must be answered with a status.
  func expect(_ status: Int, _ request: [UInt8]) { _ = checksum(of: request, status: status) }
}
