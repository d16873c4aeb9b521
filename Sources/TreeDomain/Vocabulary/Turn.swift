/// The queue at something that is busy: what cannot be done at once is done there, in its turn.
public final class Turn: Sendable {
  /// Takes work and has it done later, on a thread that may wait; false if too much waits already.
  public typealias Queue = @Sendable (_ work: @escaping @Sendable () -> Void) -> Bool

  private let queue: Queue

  /// Makes a turn of a queue.
  public init(_ queue: @escaping Queue) { self.queue = queue }

  /// Has work done in its turn.
  ///
  /// - Parameter work: The work; it may wait, and take its time.
  /// - Returns: Whether it was taken; false if too much waits already.
  public func take(_ work: @escaping @Sendable () -> Void) -> Bool { queue(work) }
}

extension Turn: Equatable {
  /// Whether they are one and the same.
  public static func == (left: Turn, right: Turn) -> Bool { left === right }
}
