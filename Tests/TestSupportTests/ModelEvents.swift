@testable import TestSupport

/// The model as a source of event streams, with errors on demand.
struct ModelEvents: EventsUnderTest {
  let service: ModelService
  /// A change that a test makes to each event.
  var sabotage: (inout ServerSentEvents.Event) -> Void = { _ in }

  func open(_ session: String, query: String, lastID: Int?) throws -> any EventSource {
    let name = session.split(separator: "/").last.map(String.init) ?? ""
    guard let model = service.sessions[name]?.session else {
      throw ServedSession.NotMade(description: "there is no session \(session)")
    }
    return ModelEventSource(model, lastID: lastID, sabotage)
  }
}

/// The events of a session, created when they are read.
private final class ModelEventSource: EventSource {
  private let session: ModelSession
  private let sabotage: (inout ServerSentEvents.Event) -> Void
  private var revision: Int
  /// True if the next event covers all missed revisions.
  private var isBehind: Bool

  init(
    _ session: ModelSession,
    lastID: Int?,
    _ sabotage: @escaping (inout ServerSentEvents.Event) -> Void
  ) {
    self.session = session
    self.sabotage = sabotage
    revision = lastID ?? session.revision
    isBehind = revision < session.revision
  }

  func next() -> ServerSentEvents.Event? {
    guard revision < session.revision else { return nil }
    let next = isBehind ? session.revision : revision + 1
    let list = list(to: next)
    revision = next
    isBehind = false
    var event = ServerSentEvents.Event(
      type: "changes",
      data: String(decoding: JSONText.onOneLine(list.json), as: UTF8.self),
      id: "\(next)"
    )
    sabotage(&event)
    return event
  }

  private func list(to next: Int) -> ChangeList {
    let after = session.picture(at: next)
    let reference = ReferenceChangeList(
      before: session.picture(at: revision),
      after: after,
      moves: isBehind ? session.moves(since: revision) : session.moves(to: next)
    )
    var list = reference.list(ranges: false, includeRows: true)
    list.previousRevision = revision
    list.revision = next
    list.treeRevision = session.shared.revision
    list.rowCount = after.rows.count
    list.nodeCount = session.nodeCount
    list.origin = session.origin(since: revision, to: next)
    return list
  }
}
