extension ServerOptions {
  /// What else a process has open, beside what a server needs: storage, a log, standard streams.
  private static let otherDescriptors = 64
  /// What a loop has open beside its connections: listener, epoll, wakeup, the reserve, and those
  /// that are only told that there is no room.
  private static let descriptorsPerLoop = 4 + EventLoop.maxTurnedAway

  /// Has the process allowed as many descriptors as the connections need, and lowers
  /// `maxConnections` to what fits where the system allows fewer.
  ///
  /// To be called before the server is made.
  ///
  /// - Returns: How many descriptors there may be, if they are too few; else nil.
  public mutating func fitDescriptors() -> Int? {
    let loopCount = loops > 0 ? loops : Syscalls.processorCount()
    let beside = Self.otherDescriptors + loopCount * Self.descriptorsPerLoop
    let allowed = Syscalls.allowDescriptors(maxConnections + beside)
    guard allowed < maxConnections + beside else { return nil }
    maxConnections = max(allowed - beside, 1)
    return allowed
  }
}
