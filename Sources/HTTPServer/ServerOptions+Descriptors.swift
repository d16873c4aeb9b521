extension ServerOptions {
  /// The number of descriptors of an event loop except for its connections.
  ///
  /// They are two listeners, epoll, wakeup, the reserve, and connections that only get an error.
  private static let descriptorsPerLoop = 5 + EventLoop.maxTurnedAway

  /// Raises the process's descriptor limit for `maxConnections`, or lowers `maxConnections` to fit.
  ///
  /// Must be called before the server is created.
  ///
  /// - Returns: The number of allowed descriptors if it is too small, else nil.
  /// - Throws: ``ServerError`` if it leaves less than one connection for each event loop.
  package mutating func fitDescriptors() throws(ServerError) -> Int? {
    let loopCount = loops > 0 ? loops : Syscalls.processorCount()
    let beside = otherDescriptors + loopCount * Self.descriptorsPerLoop
    let needed = maxConnections * descriptorsPerConnection + beside
    let allowed = Syscalls.allowDescriptors(needed)
    guard allowed < needed else { return nil }
    let left = (allowed - beside) / descriptorsPerConnection
    guard left >= min(maxConnections, loopCount) else {
      throw .tooFewDescriptors(allowed: allowed, loops: loopCount)
    }
    maxConnections = left
    return allowed
  }
}
