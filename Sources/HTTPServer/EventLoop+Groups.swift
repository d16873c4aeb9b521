import HTTP

/// Serving connections in groups: reads all requests, handles all of them, then sends all
/// responses.
///
/// Receiving, handling and sending are long code paths, each larger than a first-level instruction
/// cache. One request after another would evict each path before its next use. In a group only the
/// first request of each step misses the cache (Larus and Parkes, *Using Cohort Scheduling to
/// Enhance Server Performance*, USENIX 2002).
extension EventLoop {
  /// Adds a connection to a group, which is served when it is full or by ``serve(_:)``.
  ///
  /// If the connection is idle, its input is read at once.
  func join(_ connection: Connection, _ group: inout ConnectionGroup) {
    connection.lastTurn = turnNumber
    if connection.isReadable, connection.state.isIdle { _ = read(connection, &connection.state) }
    group.append(connection)
    if group.isFull { serve(&group) }
  }

  /// Serves the connections of a group.
  ///
  /// After the time slice, responses that are ready are sent before others are prepared.
  func serve(_ group: inout ConnectionGroup) {
    guard group.count > 0 else { return }
    let slice = TimeSlice()
    var answered = ConnectionGroup()
    for place in 0..<group.count {
      guard let connection = connection(for: group[place]) else { continue }
      if slice.isOver { sendAnswers(to: &answered) }
      prepareAnswer(of: connection, among: &answered)
    }
    group.removeAll()
    sendAnswers(to: &answered)
  }

  /// Serves a connection up to its response, and adds it to `answered` if it has one.
  func prepareAnswer(of connection: Connection, among answered: inout ConnectionGroup) {
    guard advance(connection, keepingAnswer: true) else { return }
    answered.append(connection)
    if answered.isFull { sendAnswers(to: &answered) }
  }

  /// Sends the responses of connections and continues with them.
  func sendAnswers(to answered: inout ConnectionGroup) {
    for place in 0..<answered.count {
      if let connection = connection(for: answered[place]) { advance(connection) }
    }
    answered.removeAll()
  }
}
