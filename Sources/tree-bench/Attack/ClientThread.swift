import Glibc

/// A thread that runs a client's function once.
struct ClientThread: Sendable {
  private let identifier: pthread_t

  /// Starts the thread.
  init(_ body: @escaping @Sendable () -> Void) {
    let box = unsafe Unmanaged.passRetained(Body(body)).toOpaque()
    var identifier = pthread_t()
    let result = unsafe pthread_create(
      &identifier,
      nil,
      { argument in
        guard let argument = unsafe argument else { return nil }
        unsafe Unmanaged<Body>.fromOpaque(argument).takeRetainedValue().run()
        return nil
      },
      box
    )
    precondition(result == 0, "no thread can be started: \(result)")
    self.identifier = identifier
  }

  /// Waits for the end of the thread; must be called at most once.
  func join() { pthread_join(identifier, nil) }

  private final class Body: Sendable {
    let run: @Sendable () -> Void

    init(_ run: @escaping @Sendable () -> Void) { self.run = run }
  }
}
