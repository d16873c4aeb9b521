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
  /// Has a connection served with others, now or by ``serve(_:)``.
  ///
  /// What has come since its last exchange is read at once.
  func join(_ connection: Connection, _ group: inout ConnectionGroup) {
    connection.lastTurn = turnNumber
    if connection.isReadable, connection.state.isIdle { _ = read(connection, &connection.state) }
    group.append(connection)
    if group.isFull { serve(&group) }
  }

  /// Serves those who have joined.
  ///
  /// Once that has taken long, those who have their answers are not kept waiting for the others'.
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

  /// Serves a connection up to its answer, and notes that it has one.
  func prepareAnswer(of connection: Connection, among answered: inout ConnectionGroup) {
    guard advance(connection, keepingAnswer: true) else { return }
    answered.append(connection)
    if answered.isFull { sendAnswers(to: &answered) }
  }

  /// Goes on with those who have their answers.
  func sendAnswers(to answered: inout ConnectionGroup) {
    for place in 0..<answered.count {
      if let connection = connection(for: answered[place]) { advance(connection) }
    }
    answered.removeAll()
  }
}
