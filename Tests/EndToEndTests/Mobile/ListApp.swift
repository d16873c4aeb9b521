import struct TestSupport.SeededGenerator
@testable import TreeClient

/// An app that keeps all rows from change lists: those in the answers to its writes, those that it
/// asks for, and those of streams.
struct ListApp: MobileApp {
  private(set) var client: MobileClient
  private(set) var news = 0
  /// The number of times that it had to read its rows again, since the past was forgotten.
  private(set) var resets = 0
  private var rows = ListedRows()
  private let form = ChangeOptions(rowLimit: 1000, request: MobileClient.patience)

  init(_ client: MobileClient) async throws {
    self.client = client
    rows = ListedRows(try await RowReplica.read(client.session))
  }

  mutating func run(steps: Int) async throws {
    for _ in 0..<steps {
      switch client.random.number(in: 0...8) {
      case 0: try await ask(waiting: 0)
      case 1: try await ask(waiting: 1)
      case 2: try await listen()
      case 3: try await patch()
      default: try await write()
      }
    }
    try await catchUp()
  }

  mutating func catchUp() async throws {
    var known = -1
    while rows.revision != known {
      known = rows.revision
      try await ask(waiting: 0)
    }
  }

  func difference(from truth: RowReplica) -> String? { rows.difference(from: truth) }

  private mutating func write() async throws {
    let operations = client.batch(rows.keys)
    let outcome = try await client.send(operations, form)
    if let list = try client.record(outcome, of: operations) { try learnOwn(list) }
  }

  private mutating func patch() async throws {
    try learnOwn(try await client.session.patch(client.options(), form).changes)
  }

  /// Learns from an answer, unless others came between: then it does not go on from what is known.
  private mutating func learnOwn(_ list: ChangeList<JSONValue>) throws {
    if list.previousRevision == rows.revision { try learn(list) }
  }

  /// Asks for one list of what is new.
  private mutating func ask(waiting seconds: Int) async throws {
    do {
      let list: ChangeList<JSONValue> = try await client.session.followChanges(
        since: rows.revision,
        wait: seconds,
        form
      )
      try learn(list)
    } catch let problem as TreeProblem where problem.code == "history-expired" {
      try await readAgain()
    }
  }

  /// Follows by a stream until it tells what the app itself writes meanwhile, then leaves it.
  private mutating func listen() async throws {
    let options = FollowOptions(form: form)
    var events: ChangeSequence<JSONValue>.Iterator =
      client.session.changes(since: rows.revision, options).makeAsyncIterator()
    let operations = [client.insertion(into: nil)]
    async let writing = client.session.batch(operations, form)
    var isReset = try await hear(&events)
    let list = try await writing
    try client.record(.success(list), of: operations)
    while !isReset && rows.revision < list.revision { isReset = try await hear(&events) }
    if isReset { try await readAgain() }
  }

  /// Waits for an event; returns true if it is a reset.
  private mutating func hear(
    _ events: inout ChangeSequence<JSONValue>.Iterator
  ) async throws -> Bool {
    switch try await events.next() {
    case .changes(let list)?:
      try learn(list)
      return false
    case .reset?: return true
    case nil: throw WireError("the events of \(client.name) are over")
    }
  }

  private mutating func learn(_ list: ChangeList<JSONValue>) throws {
    if !list.changes.isEmpty { news += 1 }
    try rows.apply(list)
  }

  private mutating func readAgain() async throws {
    resets += 1
    rows = ListedRows(try await RowReplica.read(client.session))
  }
}
