/// The news of a session, for as long as it lives.
///
/// Uses a stream of events. When three of them in a row last less than a second (behind some
/// proxies), it polls instead. It reconnects by itself and misses nothing: what was missed comes as
/// one list, or as a ``ChangeEvent/reset(revision:rowCount:)`` where history is gone. A consumer
/// that is slower than the news gets one net list too: lists do not pile up.
///
/// Each iteration has a connection of its own. It ends with an error when the session has ended,
/// and without one when its task is cancelled.
public struct ChangeSequence<Object: Decodable & Sendable>: AsyncSequence, Sendable {
  /// An element of the sequence.
  public typealias Element = ChangeEvent<Object>

  let session: TreeSession
  let since: Int?
  let options: FollowOptions
  /// Takes the way of following whenever it changes.
  let onState: (@Sendable (FollowState) async -> Void)?
  /// Returns the revision that the consumer has by other means.
  let position: (@Sendable () async -> Int?)?

  /// Begins to follow.
  public func makeAsyncIterator() -> Iterator {
    let (signals, signal) = AsyncStream.makeStream(
      of: Void.self,
      bufferingPolicy: .bufferingNewest(1)
    )
    let mailbox = ChangeMailbox<Object>(
      session: session,
      since: since,
      position,
      options.form,
      signal
    )
    let reader = ChangeReader(
      session: session,
      options: options,
      position: position,
      mailbox: mailbox,
      state: StateTeller(tell: onState)
    )
    return Iterator(
      mailbox: mailbox,
      signals: signals.makeAsyncIterator(),
      reading: Reading(task: Task { await reader.run(from: since) })
    )
  }

  /// An iteration over the news.
  public struct Iterator: AsyncIteratorProtocol {
    fileprivate let mailbox: ChangeMailbox<Object>
    fileprivate var signals: AsyncStream<Void>.Iterator
    fileprivate let reading: Reading

    /// Waits for news.
    ///
    /// - Returns: nil when the task is cancelled.
    /// - Throws: ``TreeProblem`` when the session cannot be followed any more.
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

  /// The work of an iteration, which ends when nobody holds the iterator any more.
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
  ///   - since: The revision behind which the news begins; without one, with what changes from now
  ///     on.
  ///   - type: The type of the objects, for lists that have rows.
  ///   - options: The form of the news.
  /// - Returns: The news, as it comes. Nothing is asked for before it is iterated over.
  public func changes<Object>(
    since: Int? = nil,
    as type: Object.Type = JSONValue.self,
    _ options: FollowOptions = FollowOptions()
  ) -> ChangeSequence<Object> {
    ChangeSequence(
      session: self,
      since: since,
      options: options,
      onState: { state in options.onState?(state) },
      position: nil
    )
  }
}
