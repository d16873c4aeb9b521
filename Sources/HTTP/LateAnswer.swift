/// A deferred answer: a long poll, a stream, or work done by another thread.
///
/// All functions are called on the connection's event loop thread, one at a time, and must not
/// block. ``start(_:)`` is called first, once. Then ``next(now:)`` is called until the answer ends
/// or is cancelled with ``cancel()``; after that nothing is called.
///
/// A client that has shut down its sending side (FIN) may still read, or be gone. TCP shows the
/// difference only when something is written. The answer therefore continues, so that a client such
/// as `nc -N` gets its response. A client that is gone resets the connection at the first bytes,
/// which cancels the answer. A stream that may be silent for long learns of it by
/// ``clientFinished()`` and can write a heartbeat at once.
package protocol LateAnswer: AnyObject, Sendable {
  /// Starts the answer.
  ///
  /// - Parameter waker: Makes the owner call ``next(now:)``. It may be kept as long as necessary.
  func start(_ waker: Waker)

  /// Returns the next step.
  ///
  /// It is called after the start, when woken, at the time that the last step asked for, and when
  /// the server starts to stop. It is also called when all earlier output is written, so that a
  /// slow client holds at most one chunk. It may also be called without a reason.
  ///
  /// - Parameter now: The time.
  /// - Returns: The step, which must be valid after the earlier ones.
  func next(now: Moment) -> LateStep

  /// Aborts: the client is gone or wants no content (HEAD), or the server does not wait longer.
  func cancel()

  /// Asks for permission to give up and respond that nothing was done.
  ///
  /// Returns true by default.
  ///
  /// - Returns: True if the work has changed nothing and will change nothing; ``cancel()`` follows.
  ///   If false, the server waits and asks again later.
  func withdraw() -> Bool

  /// Announces that the server is stopping, so that the answer should end soon.
  ///
  /// Does nothing by default; the answer is then cancelled when the time to stop is over.
  func drain()

  /// Announces that the client sends nothing more; it is unknown if it still reads.
  ///
  /// Does nothing by default. ``next(now:)`` is called afterwards.
  func clientFinished()
}

extension LateAnswer {
  /// Allows giving up, because nothing is changed.
  package func withdraw() -> Bool { true }

  /// Does nothing, so that the answer continues.
  package func drain() {}

  /// Does nothing, so that the answer continues.
  package func clientFinished() {}
}
