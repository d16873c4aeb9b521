import CLinux

/// An epoll instance with the events that it last reported.
struct Epoll: ~Copyable {
  /// A report about a descriptor.
  struct Event {
    let token: EventToken
    /// True if there is input, or the end of the stream.
    let isReadable: Bool
    /// True if the peer has shut down its sending side, so that the end of the stream can be read.
    let isEnding: Bool
    /// True if the socket accepts output.
    let isWritable: Bool
    /// True if urgent data has arrived, at which a read stops.
    let isUrgent: Bool
    /// True if both directions are shut down, so that nothing can be sent.
    ///
    /// Input that arrived before can still be read.
    let isHungUp: Bool
    /// True if the connection is broken: nothing can be sent or received.
    let isBroken: Bool
  }

  private let descriptor: Int32
  private var events: Syscalls.EventBuffer
  /// The number of events of the last wait.
  private(set) var count = 0

  /// Creates the instance of a descriptor, without owning it.
  init(descriptor: Int32, capacity: Int) {
    self.descriptor = descriptor
    events = Syscalls.EventBuffer(capacity: capacity)
  }

  /// Adds a descriptor, which is reported while there is input (level-triggered).
  func addReader(_ token: EventToken) -> Bool {
    Syscalls.epollAdd(
      descriptor,
      token.descriptor,
      events: EPOLLIN.rawValue,
      token: token.packed
    )
  }

  /// Adds a connection, which is reported once for each change of its readiness (edge-triggered).
  ///
  /// The registration therefore never needs to be changed.
  func addConnection(_ token: EventToken) -> Bool {
    let events =
      EPOLLIN.rawValue | EPOLLPRI.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue
      | EPOLLET.rawValue
    return Syscalls.epollAdd(descriptor, token.descriptor, events: events, token: token.packed)
  }

  /// Removes a descriptor.
  func remove(_ number: Int32) { Syscalls.epollRemove(descriptor, number) }

  /// Waits for events, at most some milliseconds, or without limit if negative.
  mutating func wait(milliseconds: Int) {
    count = events.wait(descriptor, milliseconds: milliseconds)
  }

  /// Returns the event at an index in 0..<`count`.
  subscript(index: Int) -> Event {
    let (flags, token) = events[index]
    return Event(
      token: EventToken(packed: token),
      isReadable: flags & (EPOLLIN.rawValue | EPOLLRDHUP.rawValue) != 0,
      isEnding: flags & EPOLLRDHUP.rawValue != 0,
      isWritable: flags & EPOLLOUT.rawValue != 0,
      isUrgent: flags & EPOLLPRI.rawValue != 0,
      isHungUp: flags & EPOLLHUP.rawValue != 0,
      isBroken: flags & EPOLLERR.rawValue != 0
    )
  }
}
