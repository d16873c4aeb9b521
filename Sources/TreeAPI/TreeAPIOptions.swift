package import HTTP

/// The options of the API: limits, times, keys and origins.
package struct TreeAPIOptions: Equatable, Sendable {
  /// The maximum time that a request for changes may be held, in seconds.
  package var maxWaitSeconds = 60
  /// The time without events after which a stream sends a heartbeat, in seconds; 1 or more.
  package var heartbeatSeconds = 15
  /// The maximum length of a body that the API itself collects, in bytes.
  package var maxBodyBytes = 16_777_216
  /// The maximum length of an unwanted body that is discarded so that the connection can continue,
  /// in bytes.
  package var maxUnreadBytes = 65_536
  /// The processor time that one request may use on worker threads, in seconds.
  package var maxRequestSeconds = 30
  /// The maximum length of an import, in bytes.
  package var maxImportBytes = 4_294_967_296
  /// The maximum memory of all running imports together, in bytes.
  package var maxHeldImportBytes = 4_294_967_296
  /// The maximum number of nodes of an import.
  package var maxImportNodes = 10_000_000
  /// The maximum length of a body that is decoded on the receiving thread, in bytes.
  package var heavyBodyBytes = 16_384
  /// The keys that requests must have; if empty, requests need no credentials.
  package var keys = AccessKeys()
  /// The origins whose web pages may use the service.
  package var origins = WebOrigins()

  /// True if the explorer is served.
  package var explorer = true

  /// Creates the default options.
  package init() {}
}

extension TreeAPIOptions {
  /// Returns the length of a body in bytes from which on a worker decodes it.
  ///
  /// With an `Idempotency-Key`, the body is also hashed by value, at up to a microsecond a value.
  func heavyBytes(of request: Request) -> Int {
    request.has(.idempotencyKey) ? heavyBodyBytes / 8 : heavyBodyBytes
  }
}
