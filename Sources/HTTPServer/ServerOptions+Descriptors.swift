extension ServerOptions {
  /// The number of descriptors for other uses: storage, logs, standard streams.
  private static let otherDescriptors = 64
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
  public mutating func fitDescriptors() throws(ServerError) -> Int? {
    let loopCount = loops > 0 ? loops : Syscalls.processorCount()
    let beside = Self.otherDescriptors + loopCount * Self.descriptorsPerLoop
    let allowed = Syscalls.allowDescriptors(maxConnections + beside)
    guard allowed < maxConnections + beside else { return nil }
    guard allowed - beside >= min(maxConnections, loopCount) else {
      throw .tooFewDescriptors(allowed: allowed, loops: loopCount)
    }
    maxConnections = allowed - beside
    return allowed
  }
}
