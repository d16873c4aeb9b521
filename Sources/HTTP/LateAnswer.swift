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

/// Makes the owner of a deferred answer call ``LateAnswer/next(now:)``.
package struct Waker: Sendable {
  /// The function that wakes, for APIs that need a closure.
  package let body: @Sendable () -> Void

  /// Creates a waker.
  ///
  /// - Parameter body: Called on each wake-up, on the calling thread. It must not block, and it may
  ///   be called after the answer is over.
  package init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Requests a call of ``LateAnswer/next(now:)``.
  ///
  /// Safe from any thread at any time. It does not block. Several calls may be merged, and after
  /// the answer is over nothing happens.
  package func wake() { body() }
}

/// The next step of a deferred answer.
package enum LateStep: Sendable {
  /// The whole response.
  ///
  /// Not allowed after `begin`.
  case answer(Response)
  /// The head of a stream.
  ///
  /// Its body is the first content.
  ///
  /// It is sent without `Content-Length`: in chunks, or with HTTP/1.0 up to the end of the
  /// connection (RFC 9112, 6.3). Allowed once. For HEAD, or a status without content, it is the
  /// whole response, and the deferred answer is cancelled.
  case begin(Response)
  /// More content of a stream, at least one byte.
  ///
  /// Allowed after `begin`. It is held until the client has received it, so it should be shorter
  /// than 64 KiB.
  case chunk([UInt8])
  /// Nothing yet: ask when woken, or after some milliseconds if a number is given.
  ///
  /// Without a number, work is in progress, for which there is a time limit.
  case wait(milliseconds: Int?)
  /// Nothing yet, but the next step is likely within microseconds: ask when woken.
  ///
  /// The event loop spins for that time, because sleeping and waking would take longer.
  case waitBriefly
  /// The end of the stream; the connection stays open.
  ///
  /// Allowed after `begin`.
  case end
  /// The answer cannot be continued: the connection is reset, so that the client notices.
  ///
  /// A stream without its end must not look whole (RFC 9112, 8).
  case abort
}
