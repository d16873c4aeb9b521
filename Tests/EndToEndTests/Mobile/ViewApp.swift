import Foundation

import class TestSupport.TemporaryFolder
@testable import TreeClient

/// An app that shows a window of rows by a ``TreeView``, and keeps writes in an ``Outbox``.
@MainActor
final class ViewApp: MobileApp {
  private(set) var client: MobileClient
  private(set) var news = 0
  /// The number of times that the window was compared with the service while others wrote.
  private(set) var comparisons = 0
  private let view: TreeView<JSONValue>
  private let folder: TemporaryFolder
  private var outbox: Outbox
  /// The number of batches in the outbox whose outcome is not known.
  private var pending = 0
  /// The revision that the last batch of the outbox gave the tree.
  private var lastSent = 0

  init(_ client: MobileClient) async throws {
    self.client = client
    folder = try TemporaryFolder()
    outbox = Outbox(client.session, file: URL(filePath: folder.path).appending(path: "outbox"))
    view = await client.session.view(ViewOptions(pageSize: 10, maxRows: 60))
    try await view.settled()
    view.subscribe { [weak self] change in
      if case .list = change.kind { self?.news += 1 }
    }
  }

  func run(steps: Int) async throws {
    for _ in 0..<steps {
      let keys = view.range.compactMap { view.row(at: $0)?.key }
      switch client.random.number(in: 0...11) {
      case 0: scroll()
      case 1: try await toggle(client.key(of: keys))
      case 2: _ = try await client.session.patch(client.options(), Self.patience)
      case 3...5:
        let operations = client.batch(keys)
        let outcome = try await client.send(operations, Self.patience)
        try client.record(outcome, of: operations)
      case 6...7: try await keep(keys)
      case 8...9:
        try await keep(keys)
        // The end comes anywhere between the first attempt and the answer, or after it.
        try await Task.sleep(for: .microseconds(client.random.number(in: 0...20_000)))
        try await restart()
      case 10: view.isPaused.toggle()
      default: try await look()
      }
    }
    try await catchUp()
  }

  /// The form of answers is left to the client, so that the view learns from them.
  private static let patience = ChangeOptions(request: MobileClient.patience)

  private func scroll() {
    let first = client.random.number(in: 0...view.rowCount + 4)
    view.setRange(first...first + client.random.number(in: 0...19))
  }

  private func toggle(_ key: String) async throws {
    do {
      try await client.session.toggle(key, Self.patience)
    } catch let problem as TreeProblem {
      try MobileClient.expectRefusal(problem)
    }
  }

  // MARK: The outbox

  private func keep(_ keys: [String]) async throws {
    try await outbox.add(client.batch(keys))
    pending += 1
  }

  /// Ends the app's outbox wherever it is, and opens another one on its file.
  private func restart() async throws {
    await outbox.close()
    for await event in outbox.events { try take(event) }
    let file = URL(filePath: folder.path).appending(path: "outbox")
    outbox = Outbox(client.session, file: file)
  }

  private func take(_ event: Outbox.Event) throws {
    switch event {
    case .sent(let entry, let list):
      guard list.treeRevision > lastSent else { throw WireError("\(list) is out of order") }
      lastSent = list.treeRevision
      try client.record(.success(list), of: entry.operations)
      pending -= 1
    case .rejected(let entry, let problem):
      try client.record(.failure(problem), of: entry.operations)
      pending -= 1
    case .blocked(_, let problem), .failed(let problem): throw problem
    }
  }

  func catchUp() async throws {
    if pending > 0 {
      for await event in outbox.events {
        try take(event)
        if pending == 0 { break }
      }
    }
    let rest = try await outbox.entries
    guard rest.isEmpty else { throw WireError("still in the outbox: \(rest)") }
    view.isPaused = false
    try await view.settled()
  }

  // MARK: Comparing

  /// Compares the window with the service, unless others write meanwhile.
  private func look() async throws {
    view.isPaused = false
    try await view.settled()
    guard let revision = view.revision else { return }
    let range = view.range
    var query = RowsQuery(offset: min(range.lowerBound, view.rowCount), limit: range.count)
    query.revision = revision
    do {
      let page: RowPage<JSONValue> = try await client.session.rows(query, MobileClient.patience)
      // A change may have come before the revision was looked at.
      try await view.settled()
      guard view.revision == revision, view.range == range else { return }
      comparisons += 1
      let truth = page.rows.map(RowReplica.plain)
      if let found = difference(from: truth, at: page.offset, of: page.rowCount) {
        throw WireError(found)
      }
    } catch let problem as TreeProblem where problem.code == "revision-changed" {}
  }

  private func difference(
    from truth: some Collection<Row<JSONValue>>,
    at offset: Int,
    of rowCount: Int
  ) -> String? {
    guard view.rowCount == rowCount else { return "\(view.rowCount) rows, not \(rowCount)" }
    for (index, right) in zip(offset..., truth) {
      let row = view.row(at: index)
      guard row.map(RowReplica.plain) == right, row?.index == index else {
        return "row \(index) is \(row as Any), not \(right)"
      }
    }
    return nil
  }

  func difference(from truth: RowReplica) async throws -> String? {
    for first in stride(from: 0, through: truth.rows.count, by: 20) {
      try await show(first...first + 19, at: truth.revision)
      let rows = truth.rows.dropFirst(first).prefix(20)
      if let found = difference(from: rows, at: first, of: truth.rows.count) { return found }
    }
    return nil
  }

  /// Waits until a window shows rows of the revision that the service has.
  private func show(_ range: ClosedRange<Int>, at revision: Int) async throws {
    for _ in 0..<20_000 {
      view.setRange(range)
      try await view.settled()
      if view.revision == revision { return }
      // What the service knows is on its way to the view.
      try await Task.sleep(for: .milliseconds(5))
    }
    throw WireError("the view is at \(view.revision as Any), not at \(revision)")
  }
}
