public import Foundation

/// A queue of batches that works offline: each is stored in a file first, and then sent in order.
///
/// A crash or a missing network loses nothing. A batch leaves the file when it is applied, or when
/// it is refused for good: by a 4xx other than 401, 408, 425 and 429. ``events`` reports both. A
/// file must not be used by two outboxes at a time.
///
/// The service remembers the key of a write for a day. If the answer to a batch is lost and the
/// batch is sent again later than that, it is applied twice.
public actor Outbox {
  /// An event of an outbox.
  public enum Event: Sendable {
    /// A batch was applied.
    case sent(Entry, ChangeList<JSONValue>)
    /// A batch was refused, and will not be sent again.
    case rejected(Entry, TreeProblem)
    /// A batch will be sent again later, because of a 401 or 425, or because the answer is not one
    /// of the service. After a 401, renew the credential.
    case blocked(Entry, TreeProblem)
    /// The file could not be read or written; ``start()`` tries again.
    case failed(TreeProblem)
  }

  /// A stored batch.
  public struct Entry: Sendable, Hashable, Codable {
    /// The idempotency key.
    ///
    /// It is stored before the first attempt, so that the batch is applied once.
    public var key: String
    /// The operations.
    public var operations: [TreeOperation]
    /// The only revision at which the batch is applied; nil for any.
    public var ifMatch: Int?
  }

  /// A handle of a batch that was added to this outbox.
  public struct Ticket: Sendable {
    /// The idempotency key.
    public let key: String
    fileprivate let outcome: AsyncThrowingStream<ChangeList<JSONValue>, any Error>

    /// Waits until the batch is applied.
    ///
    /// May be called once.
    ///
    /// - Throws: ``TreeProblem`` if it is refused; `CancellationError` if the outbox is closed.
    public func answer() async throws -> ChangeList<JSONValue> {
      for try await list in outcome { return list }
      throw CancellationError()
    }
  }

  /// The events of the batches, for one reader.
  ///
  /// Events are kept until they are read.
  public nonisolated let events: AsyncStream<Event>
  private let session: TreeSession
  private var file: OutboxFile
  private let event: AsyncStream<Event>.Continuation
  private var waiting: [String: AsyncThrowingStream<ChangeList<JSONValue>, any Error>.Continuation]
  private var sending: Task<Void, Never>?
  private var isClosed = false

  /// Opens an outbox, and begins to send the stored batches.
  ///
  /// - Parameters:
  ///   - session: The session that the batches are for.
  ///   - file: The location of the file, which is created with the first batch.
  public init(_ session: TreeSession, file: URL) {
    self.session = session
    self.file = OutboxFile(file)
    waiting = [:]
    (events, event) = AsyncStream.makeStream()
    Task { await start() }
  }

  deinit {
    sending?.cancel()
    event.finish()
  }

  /// The stored batches, in order.
  public var entries: [Entry] {
    get throws { try file.entries() }
  }

  /// Stores a batch, and then sends it.
  ///
  /// - Returns: A ticket, once the batch is stored.
  /// - Throws: The error of writing it; `CancellationError` if the outbox is closed.
  @discardableResult
  public func add(_ operations: [TreeOperation], ifMatch: Int? = nil) throws -> Ticket {
    if isClosed { throw CancellationError() }
    let key = UUID().uuidString
    try file.append(Entry(key: key, operations: operations, ifMatch: ifMatch))
    let (outcome, continuation) = AsyncThrowingStream.makeStream(of: ChangeList<JSONValue>.self)
    waiting[key] = continuation
    start()
    return Ticket(key: key, outcome: outcome)
  }

  /// Begins to send the stored batches again, for example after ``Event/failed(_:)``.
  ///
  /// Does nothing while they are being sent.
  public func start() {
    guard sending == nil, !isClosed else { return }
    sending = Task { [weak self] in await self?.drain() }
  }

  /// Stops sending.
  ///
  /// The stored batches stay in the file.
  public func close() {
    isClosed = true
    sending?.cancel()
    event.finish()
    for continuation in waiting.values { continuation.finish() }
    waiting = [:]
  }

  private func drain() async {
    do {
      while !isClosed, let entry = try file.entries().first { try await send(entry) }
    } catch {
      if !isClosed { event.yield(.failed(TreeProblem(error))) }
    }
    sending = nil
  }

  /// Sends a batch until it is applied or refused.
  private func send(_ entry: Entry) async throws {
    var backoff = Backoff(session.client)
    while true {
      let request = RequestOptions(
        attempts: .max,
        ifMatch: entry.ifMatch,
        idempotencyKey: entry.key
      )
      do {
        // A retry must have the same query, even if the session has a view by then.
        let options = ChangeOptions(changes: .rows, request: request)
        let list = try await session.batch(entry.operations, options)
        try finish(entry, .success(list))
        event.yield(.sent(entry, list))
        return
      } catch let problem as TreeProblem {
        // Any other status is not from the service, but from a login page, for example.
        let isDefinite = (400..<500).contains(problem.status)
        guard !isDefinite || [401, 425].contains(problem.status) else {
          try finish(entry, .failure(problem))
          event.yield(.rejected(entry, problem))
          return
        }
        event.yield(.blocked(entry, problem))
        try await backoff.pause(after: problem)
      }
    }
  }

  private func finish(
    _ entry: Entry,
    _ outcome: Result<ChangeList<JSONValue>, any Error>
  ) throws {
    // Once this outbox is closed, another one may use the file.
    if isClosed { throw CancellationError() }
    try file.remove(entry.key)
    let continuation = waiting.removeValue(forKey: entry.key)
    continuation?.yield(with: outcome)
    continuation?.finish()
  }
}
