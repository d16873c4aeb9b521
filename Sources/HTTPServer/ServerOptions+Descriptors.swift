extension ServerOptions {
  /// What else a process has open, beside what a server needs: storage, a log, standard streams.
  private static let otherDescriptors = 64
  /// What a loop has open beside its connections: two listeners, epoll, wakeup, the reserve, and
  /// those that are only told that there is no room.
  private static let descriptorsPerLoop = 5 + EventLoop.maxTurnedAway

  /// Has the process allowed as many descriptors as the connections need, and lowers
  /// `maxConnections` to what fits where the system allows fewer.
  ///
  /// To be called before the server is made.
  ///
  /// - Returns: How many descriptors there may be, if they are too few; else nil.
  /// - Throws: ``ServerError`` where they leave less than one connection for each loop.
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
