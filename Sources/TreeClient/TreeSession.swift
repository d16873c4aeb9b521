import Foundation

/// A handle of a session, which is one view of a tree with its own expansion, filter and selection.
///
/// The session exists in the service until it is deleted or expires. The release of the handle does
/// not end it.
public final class TreeSession: Sendable {
  /// The id.
  public let id: String
  /// The secret that opens only this session; nil if the service has no keys.
  public let secret: String?
  /// The description of the session when it was created or opened.
  public let description: SessionDescription?
  let client: TreeClient
  private let state: SessionState

  /// Creates a handle of an existing session, without a request.
  public convenience init(_ client: TreeClient, id: String, secret: String? = nil) {
    self.init(client, id: id, secret: secret, description: nil)
  }

  init(_ client: TreeClient, id: String, secret: String?, description: SessionDescription?) {
    self.client = client
    self.id = id
    self.secret = secret
    self.description = description
    state = SessionState(revision: description?.revision)
  }

  /// The newest revision in any answer; nil before the first one.
  public var revision: Int? {
    get async { await state.revision }
  }

  /// Returns a request for an operation on this session.
  func call(
    _ route: Route,
    _ values: [String] = [],
    _ query: Query = [:],
    _ options: RequestOptions
  ) -> TreeClient.Call {
    var call = TreeClient.Call(route, [id] + values, query, options)
    call.secret = secret
    return call
  }

  /// Sends a read, and decodes the answer.
  func read<Value: Decodable & Sendable>(_ call: TreeClient.Call) async throws -> Value {
    let value: Value = try await client.answer(call)
    await record((value as? any Revised)?.revision)
    return value
  }

  /// Reads the current revision of the session.
  func newest() async throws -> Int {
    let answer: Revision = try await read(call(.getSession, [], [:], RequestOptions()))
    return answer.revision
  }

  /// Sends a change, and passes the answer on to the views.
  func change(
    _ route: Route,
    _ values: [String] = [],
    body: Data? = nil,
    query: Query = [:],
    _ options: ChangeOptions
  ) async throws -> ChangeList<JSONValue> {
    try await change(route, values, body: body, query: query, options) {
      try JSONCoding.decode(ChangeList<JSONValue>.self, from: $0)
    }
  }

  /// Sends a change, passes the answer on to the views, and decodes it as a given type.
  func change<Value: Revised & Sendable>(
    _ route: Route,
    _ values: [String] = [],
    body: Data? = nil,
    query: Query = [:],
    _ options: ChangeOptions,
    _ read: @escaping @Sendable (Data) throws -> Value
  ) async throws -> Value {
    let links = await state.links
    var asked = options
    if let form = links.first?.form, options.leavesForm {
      asked.changes = .ranges
      asked.rowLimit = form.pageSize
      asked.fields = form.fields
    }
    var call = call(route, values, asked.query.merging(query) { $1 }, asked.request)
    call.body = body
    for link in links { await link.wrote(1) }
    let outcome: Result<(Value, Data), any Error>
    do {
      outcome = .success(try await client.run(call) { (try read($0), $0) })
    } catch {
      outcome = .failure(error)
    }
    if case .success((let value, let data)) = outcome {
      let isList = !asked.dryRun && !asked.sections && asked.changes != .nothing
      if !asked.dryRun { await record(value.revision) }
      for link in links where isList && link.form.fields == asked.fields {
        await link.receive(data)
      }
    }
    for link in links { await link.wrote(-1) }
    return try outcome.get().0
  }

  func record(_ revision: Int?) async {
    if let revision { await state.record(revision) }
  }

  func add(_ link: ViewLink) async { await state.add(link) }

  func remove(_ link: ViewLink.ID) async { await state.remove(link) }
}

/// The revision in an answer.
private struct Revision: Decodable, Revised {
  let revision: Int
}

/// The functions by which a session notifies a view of its changes.
struct ViewLink: Identifiable, Sendable {
  /// The form of answers that a view can use.
  struct Form: Sendable {
    var pageSize: Int
    var fields: [RowField]
  }

  let id = UUID()
  let form: Form
  /// Receives the answer to a change.
  let receive: @Sendable @MainActor (Data) -> Void
  /// Receives 1 when a change is sent, and -1 when it has an outcome.
  let wrote: @Sendable @MainActor (Int) -> Void
}

/// The mutable state of a session handle.
private actor SessionState {
  private(set) var revision: Int?
  private(set) var links: [ViewLink] = []

  init(revision: Int?) { self.revision = revision }

  func record(_ told: Int) { revision = max(revision ?? 0, told) }

  func add(_ link: ViewLink) { links.append(link) }

  func remove(_ id: ViewLink.ID) { links.removeAll { $0.id == id } }
}
