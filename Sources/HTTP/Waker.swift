/// Has a late answer asked what comes next.
public struct Waker: Sendable {
  /// What wakes: for whoever takes a function and nothing else.
  public let body: @Sendable () -> Void

  /// A waker that does this.
  ///
  /// - Parameter body: Called at each waking, on the thread of who wakes. It must not wait, and it
  ///   must bear being called after the answer is over.
  public init(_ body: @escaping @Sendable () -> Void) { self.body = body }

  /// Has ``LateAnswer/next(now:)`` called soon.
  ///
  /// From any thread, at any time. It does not wait, several wakings may become one, and after the
  /// answer is over it does nothing.
  public func wake() { body() }
}
