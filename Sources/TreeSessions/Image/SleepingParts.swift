import TreeDomain
import TreeEngine

/// The decoded frames of sleeping sessions.
struct SleepingParts {
  /// The view that tracks the nodes of sleeping sessions, and the nodes' indexes in the order of
  /// ``NodeNumbers``.
  struct Names {
    var view: Int
    var toggled: [Int]
    var present: [Int]
  }

  private(set) var names: Names?
  private(set) var sessions: [(id: SessionID, session: SleepingSession)] = []

  mutating func readNames(_ frame: inout ByteReader) throws(ImageError) {
    guard names == nil else { throw .damaged }
    names = Names(
      view: try frame.count(),
      toggled: try frame.nodeIndexes(),
      present: try frame.nodeIndexes()
    )
  }

  mutating func readSession(_ frame: inout ByteReader) throws(ImageError) {
    let id = try frame.sessionID()
    var options = sessions.last?.session.options
    if try frame.bool() { options = SleepingSession.Options(try frame.sessionOptions()) }
    guard let options else { throw .damaged }
    let session = SleepingSession(
      options: options,
      ahead: try frame.signed(),
      details: Array(try frame.string())
    )
    sessions.append((id, session))
  }
}

extension SleepingSessions {
  func writeNames(_ view: EngineTree.ViewID, to writer: inout ByteWriter) {
    writer.append(count: view.number)
    for numbers in [toggled, present] {
      let nodes = numbers.nodes
      writer.append(count: nodes.count)
      for node in nodes { writer.append(count: Int(node.index)) }
    }
  }

  /// Writes a session.
  ///
  /// Its options are left out if the session before has the same ones.
  func write(_ id: SessionID, after former: SessionID?, to writer: inout ByteWriter) {
    guard let session = sessions[id] else { preconditionFailure("the session does not sleep") }
    writer.append(string: id.bytes[...])
    let known = former.flatMap { sessions[$0]?.options.options }
    let isNew = session.options.options != known
    writer.append(isNew)
    if isNew { writer.append(session.options.options) }
    writer.append(signed: session.ahead)
    writer.append(string: session.details[...])
  }
}

extension ByteReader {
  fileprivate mutating func nodeIndexes() throws(ImageError) -> [Int] {
    var indexes: [Int] = []
    for _ in 0..<(try count(upTo: remaining)) { indexes.append(try count()) }
    return indexes
  }
}
