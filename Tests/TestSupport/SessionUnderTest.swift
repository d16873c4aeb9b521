/// A session of the real service, however it is reached: a call, a router, or a socket.
package protocol SessionUnderTest {
  /// Sends a batch.
  ///
  /// - Parameters:
  ///   - body: The body of `POST /v1/sessions/{s}/batch`.
  ///   - query: What follows the question mark, which may be empty.
  func batch(_ body: [UInt8], query: String) throws -> (status: Int, body: [UInt8])

  /// Reads something of the session.
  ///
  /// - Parameter path: What follows `/v1/sessions/{s}`: empty for the session itself, or a path
  ///   with its query, such as `/rows?offset=0`.
  func get(_ path: String) throws -> (status: Int, body: [UInt8])
}
