/// The options for connections to other servers.
package struct UpstreamOptions: Sendable {
  /// The time to establish a connection, in milliseconds.
  ///
  /// Beyond it, the request has failed without an effect.
  package var connectMilliseconds = 2_000
  /// The time that a server may take for the head of its response, in milliseconds.
  ///
  /// It counts from the last sent byte of the request. Beyond it, the outcome is unknown. It must
  /// exceed the time for which the servers hold requests that wait for events.
  package var headMilliseconds = 150_000
  /// The time that an unused connection is kept, in milliseconds.
  ///
  /// It should be shorter than the time that the servers keep it.
  package var idleMilliseconds = 30_000
  /// The time after which a vanished server is detected, in milliseconds, 1000 or more.
  package var silenceMilliseconds = 5_000
  /// The maximum number of connections to one server that are being established.
  ///
  /// Further requests wait, so that a burst does not exceed what a server accepts at once.
  package var maxConnecting = 32
  /// The maximum number of unused connections that are kept for one server.
  package var maxIdle = 64

  /// Creates the default options.
  package init() {}
}
