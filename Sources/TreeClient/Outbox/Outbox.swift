public import Foundation

/// Batches that may be made offline: each is kept in a file before it is sent, and they are sent
/// one by one, in order.
///
/// Nothing is lost by a crash, or by a network that is away. Only a definite refusal (4xx, but for
/// 401, 408, 425 and 429) removes a batch that was not made, and ``events`` says so. The file has
/// one outbox at a time.
///
/// The service knows the key of a write for a day. A batch that was sent, whose answer was lost,
/// and that is sent again later than that is made twice.
public actor Outbox {
  /// An event of an outbox.
  public enum Event: Sendable {
    /// A batch was made.
    case sent(Entry, ChangeList<JSONValue>)
    /// A batch was refused, and is not tried again.
    case rejected(Entry, TreeProblem)
    /// A batch is tried again later: time to renew the credential (401), to wait (408, 425), or to
    /// look at what answers in the place of the service.
    case blocked(Entry, TreeProblem)
    /// The file could not be read or written; ``start()`` tries again.
    case failed(TreeProblem)
  }

  /// A batch that is kept.
  public struct Entry: Sendable, Hashable, Codable {
    /// The name of the write.
    ///
    /// It is kept before the first attempt, so that it is made once.
    public var key: String
    /// The operations.
    public var operations: [TreeOperation]
    /// The revision at which alone the batch is made; nil for any.
    public var ifMatch: Int?
  }

  /// A batch that was added here.
  public struct Ticket: Sendable {
    /// The name of the write.
    public let key: String
    fileprivate let outcome: AsyncThrowingStream<ChangeList<JSONValue>, any Error>

    /// Waits until the batch is made.
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

  /// Opens an outbox, and begins at once with what is kept.
  ///
  /// - Parameters:
  ///   - session: The session that the batches are for.
  ///   - file: The place of the file, which is made with the first batch.
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

  /// The batches that are kept, in order.
  public var entries: [Entry] {
    get throws { try file.entries() }
  }

  /// Keeps a batch, then sends it.
  ///
  /// - Returns: A ticket with the key of the batch, once it is kept.
  /// - Throws: The error of writing it.
  @discardableResult
  public func add(_ operations: [TreeOperation], ifMatch: Int? = nil) throws -> Ticket {
    let key = UUID().uuidString
    try file.append(Entry(key: key, operations: operations, ifMatch: ifMatch))
    let (outcome, continuation) = AsyncThrowingStream.makeStream(of: ChangeList<JSONValue>.self)
    waiting[key] = continuation
    start()
    return Ticket(key: key, outcome: outcome)
  }

  /// Sends what is kept, as after ``Event/failed(_:)``.
  ///
  /// Does nothing if that is under way.
  public func start() {
    guard sending == nil, !isClosed else { return }
    sending = Task { [weak self] in await self?.drain() }
  }

  /// Sends nothing more.
  ///
  /// Batches that are kept stay.
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

  /// Sends a batch until it is made or refused.
  private func send(_ entry: Entry) async throws {
    var attempt = 0
    while true {
      let request = RequestOptions(
        attempts: .max,
        ifMatch: entry.ifMatch,
        idempotencyKey: entry.key
      )
      do {
        // A write of one key has one query, whether there is a view or not.
        let options = ChangeOptions(changes: .rows, request: request)
        let list = try await session.batch(entry.operations, options)
        try finish(entry, .success(list))
        event.yield(.sent(entry, list))
        return
      } catch let problem as TreeProblem {
        // Other answers are none of the service, such as those of a network that wants a login.
        let isDefinite = (400..<500).contains(problem.status)
        guard !isDefinite || [401, 408, 425].contains(problem.status) else {
          try finish(entry, .failure(problem))
          event.yield(.rejected(entry, problem))
          return
        }
        event.yield(.blocked(entry, problem))
        try await session.client.pacing.pause(after: attempt, problem)
        attempt += 1
      }
    }
  }

  private func finish(
    _ entry: Entry,
    _ outcome: Result<ChangeList<JSONValue>, any Error>
  ) throws {
    // After it is closed, the file may have another outbox.
    if isClosed { throw CancellationError() }
    try file.remove(entry.key)
    let continuation = waiting.removeValue(forKey: entry.key)
    continuation?.yield(with: outcome)
    continuation?.finish()
  }
}
