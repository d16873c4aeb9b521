/// An answer that takes time: a long poll, a stream, work done elsewhere.
///
/// Everything here is called on the thread of the connection's loop, one call at a time, and must
/// not wait. ``start(_:)`` comes first, once. Then ``next(now:)`` is asked until the answer is
/// over: when it said so itself, or with ``cancel()``, after which nothing is called any more.
///
/// A client that sends its end of the stream (FIN) may still read, or be gone: TCP tells only when
/// something is written to it. So the answer goes on: one that half-closed its side after the
/// request, as `nc -N` does, gets what it asked for, and one that is gone resets the connection at
/// the first bytes, which cancels the answer. A stream that could be silent for long learns of it
/// by ``clientFinished()`` and can write something harmless at once, such as a heartbeat.
public protocol LateAnswer: AnyObject, Sendable {
  /// The answer was taken on.
  ///
  /// - Parameter waker: What has the answer asked again; to be kept for as long as that may be.
  func start(_ waker: Waker)

  /// What comes next.
  ///
  /// Asked after the start, when woken, at the time it asked for, when the server wants to stop,
  /// and when everything given before is written, so that a slow reader holds one chunk at most. It
  /// may also be asked for no reason.
  ///
  /// - Parameter now: The time.
  /// - Returns: The step; each has to fit those before it.
  func next(now: Moment) -> LateStep

  /// The client is gone, wants no content (HEAD), or the server will not wait any more.
  func cancel()

  /// The server would rather not wait any more, and say that nothing was done.
  ///
  /// By default it may.
  ///
  /// - Returns: Whether it may: nothing was changed by what this works at, and nothing will be. If
  ///   so, ``cancel()`` follows; if not, it is waited for, and this asked again later.
  func withdraw() -> Bool

  /// The server wants to stop: the answer is to end soon.
  ///
  /// Does nothing by default; the answer is then cancelled when the time to stop is up.
  func drain()

  /// The client sends nothing more; whether it still reads is not known.
  ///
  /// Does nothing by default. ``next(now:)`` is asked after it.
  func clientFinished()
}

extension LateAnswer {
  /// Nothing is changed: it may be given up.
  public func withdraw() -> Bool { true }

  /// Does nothing: the answer takes its time.
  public func drain() {}

  /// Does nothing: the answer goes on.
  public func clientFinished() {}
}
