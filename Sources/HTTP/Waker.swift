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
