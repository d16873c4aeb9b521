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
  func writeNames(_ view: View, to writer: inout ByteWriter) {
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

  /// Restores a session.
  ///
  /// - Returns: False if its parts contradict each other.
  mutating func restore(
    _ session: SleepingSession,
    _ id: SessionID,
    after commits: UInt64
  ) throws(ImageError) -> Bool {
    let state = try SleepingState(session.details)
    let revision = Int64(bitPattern: session.revision(after: commits).number)
    let isFiltered = session.options.options.filter != nil
    guard sessions[id] == nil, revision >= 0, isFiltered == (state.filtered != nil) else {
      return false
    }
    for expansion in [state.expansion, state.filtered?.expansion ?? .init()] {
      for number in expansion.toggled { try toggled.retain(number) }
      for number in expansion.collapsedSections { try present.retain(number) }
    }
    for number in state.selected { try present.retain(number) }
    let options = shared(session.options.options)
    add(SleepingSession(options: options, ahead: session.ahead, details: session.details), id)
    return true
  }

  mutating func releaseUnused() {
    toggled.releaseUnused()
    present.releaseUnused()
  }
}

extension ByteReader {
  fileprivate mutating func nodeIndexes() throws(ImageError) -> [Int] {
    var indexes: [Int] = []
    for _ in 0..<(try count(upTo: remaining)) { indexes.append(try count()) }
    return indexes
  }
}
