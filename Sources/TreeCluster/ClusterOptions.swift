public import TreeDomain
public import TreeSessions
public import TreeStorage

/// The functions and limits of an instance.
public struct ClusterOptions: Sendable {
  /// Makes the store of an acquired slot.
  ///
  /// The number is the time in seconds since an instance had it; zero if none was seen.
  public var makeStore: @Sendable (PostgreSQLStorage, Int) throws(StorageError) -> SlotStore
  /// Runs work that waits for the database on a thread, several at a time.
  public var assign: SessionStore.Assignment
  /// Runs work on threads that may block for long, because the database may not answer.
  public var dispose: SessionStore.Assignment
  /// The limits of all slots together.
  public var limits: SessionLimits
  /// Returns a monotonic time in milliseconds.
  public var clock: @Sendable () -> Int
  /// Tells the operator that a generation began in a slot.
  public var tellGeneration: @Sendable (PostgreSQLStorage) -> Void
  /// Prints a sentence for the operator.
  public var say: @Sendable (String) -> Void

  /// Creates options.
  public init(
    makeStore: @escaping @Sendable (PostgreSQLStorage, Int) throws(StorageError) -> SlotStore,
    assign: @escaping SessionStore.Assignment,
    dispose: @escaping SessionStore.Assignment,
    limits: SessionLimits,
    clock: @escaping @Sendable () -> Int,
    tellGeneration: @escaping @Sendable (PostgreSQLStorage) -> Void,
    say: @escaping @Sendable (String) -> Void
  ) {
    self.makeStore = makeStore
    self.assign = assign
    self.dispose = dispose
    self.limits = limits
    self.clock = clock
    self.tellGeneration = tellGeneration
    self.say = say
  }
}
