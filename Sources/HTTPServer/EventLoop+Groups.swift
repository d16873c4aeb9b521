import HTTP

/// Serving several connections together: what has come for all of them is read, then each is served
/// up to its answer, then all answers are sent.
///
/// To receive a request, to answer it and to send the answer are three long ways through the kernel
/// and this program, each longer than the first cache of a processor is large. Where one request
/// goes all three before the next one does, each finds the code of the others in its place; in a
/// group only the first of each kind has to wait for it (Larus and Parkes, *Using Cohort Scheduling
/// to Enhance Server Performance*, USENIX 2002).
extension EventLoop {
  /// How many are served together: enough for the waiting to be shared, and so few that the first
  /// answer does not wait for long.
  static let groupSize = 8

  /// Has a connection served with others, now or by ``serveGroup()``.
  ///
  /// What has come since its last exchange is read at once.
  func join(_ connection: Connection) {
    connection.lastTurn = turnNumber
    if connection.isReadable, connection.state.isIdle { _ = read(connection, &connection.state) }
    group.append(connection.token)
    if group.count == Self.groupSize { serveGroup() }
  }

  /// Serves those who have joined.
  ///
  /// Once that has taken long, those who have their answers are not kept waiting for the others'.
  func serveGroup() {
    guard !group.isEmpty else { return }
    let slice = TimeSlice()
    for token in group {
      guard let connection = connection(for: token) else { continue }
      if slice.isOver { sendAnswers() }
      prepareAnswer(of: connection)
    }
    group.removeAll(keepingCapacity: true)
    sendAnswers()
  }

  /// Serves a connection up to its answer, which ``sendAnswers()`` sends.
  func prepareAnswer(of connection: Connection) {
    isKeepingAnswers = true
    advance(connection)
    isKeepingAnswers = false
    if answered.count >= Self.groupSize { sendAnswers() }
  }

  /// Goes on with those who have their answers.
  func sendAnswers() {
    for token in answered {
      if let connection = connection(for: token) { advance(connection) }
    }
    answered.removeAll(keepingCapacity: true)
  }
}
