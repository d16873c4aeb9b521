/// The events of a session, until it ends.
///
/// Uses an event stream. If three streams in a row last less than a second, as behind some proxies,
/// it polls instead. It reconnects by itself and misses nothing. Missed changes come as one list,
/// or as a ``ChangeEvent/reset(revision:rowCount:)`` if the history does not go back that far. A
/// slow consumer also gets one net list instead of a queue of lists.
///
/// Each iteration has a connection of its own. It ends with an error when the session has ended,
/// and without one when its task is cancelled.
public struct ChangeSequence<Object: Decodable & Sendable>: AsyncSequence, Sendable {
  /// An element of the sequence.
  public typealias Element = ChangeEvent<Object>

  let session: TreeSession
  let since: Int?
  let options: FollowOptions
  /// A function that is called when the state of following changes, and if there is a position, for
  /// each lost connection.
  ///
  /// The number is the revision from which the events continue.
  let onState: (@Sendable (FollowState, Int?) async -> Void)?
  /// A function that waits until the consumer has rows, and returns their revision, which may be
  /// newer than the events.
  ///
  /// It returns nil if the consumer wants no more.
  let position: (@Sendable () async -> Int?)?

  /// Opens a connection and begins to follow.
  public func makeAsyncIterator() -> Iterator {
    let (signals, signal) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let mailbox = ChangeMailbox<Object>(
      session: session,
      since: since,
      position,
      options,
      signal
    )
    let reader = ChangeReader(
      session: session,
      options: options,
      position: position,
      mailbox: mailbox,
      state: StateTeller(tell: onState, repeats: position != nil)
    )
    return Iterator(
      mailbox: mailbox,
      signals: signals.makeAsyncIterator(),
      reading: Reading(task: Task { await reader.run(from: since) })
    )
  }

  /// An iteration over the events.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: ChangeMailbox<Object>
    fileprivate var signals: AsyncStream<Void>.Iterator
    fileprivate let reading: Reading

    /// Waits for the next event.
    ///
    /// - Returns: The event; nil if the task is cancelled.
    /// - Throws: ``TreeProblem`` if the session has ended or cannot be followed.
    public mutating func next() async throws -> ChangeEvent<Object>? {
      while !Task.isCancelled {
        do {
          if let event = try await mailbox.take() { return event }
        } catch is CancellationError {
          return nil
        }
        guard await signals.next() != nil else { return nil }
      }
      return nil
    }
  }

  /// The task of an iteration, which ends when the iterator is released.
  fileprivate final class Reading: Sendable {
    private let task: Task<Void, Never>

    init(task: Task<Void, Never>) { self.task = task }

    deinit { task.cancel() }
  }
}

extension TreeSession {
  /// Follows the session.
  ///
  /// - Parameters:
  ///   - since: The revision after which the events begin; nil for changes from now on.
  ///   - type: The type of the objects, for lists that have rows.
  ///   - options: The form of the lists, and times.
  /// - Returns: The events. No request is sent before the iteration begins.
  public func changes<Object>(
    since: Int? = nil,
    as type: Object.Type = JSONValue.self,
    _ options: FollowOptions = FollowOptions()
  ) -> ChangeSequence<Object> {
    ChangeSequence(
      session: self,
      since: since,
      options: options,
      onState: { state, _ in options.onState?(state) },
      position: nil
    )
  }
}
