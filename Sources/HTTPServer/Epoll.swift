import CLinux

/// An epoll instance and the events it last reported.
struct Epoll: ~Copyable {
  /// What has become possible on a descriptor.
  struct Event {
    let token: EventToken
    /// There is something to read, or the end of the stream.
    let isReadable: Bool
    /// The peer has shut down its sending side, so that the end of the stream is there to be read.
    let isEnding: Bool
    /// There is room to write.
    let isWritable: Bool
    /// Something came that the stream does not show in its place, so that reading stops before it.
    let isUrgent: Bool
    /// Both sides have shut down, or the peer by itself both: nothing can be sent any more.
    ///
    /// What came before can still be read.
    let isHungUp: Bool
    /// The connection is broken: nothing can be sent or read any more.
    let isBroken: Bool
  }

  private let descriptor: Int32
  private var events: Syscalls.EventBuffer
  /// How many events the last wait gave.
  private(set) var count = 0

  /// An instance on a descriptor that somebody else closes.
  init(descriptor: Int32, capacity: Int) {
    self.descriptor = descriptor
    events = Syscalls.EventBuffer(capacity: capacity)
  }

  /// Reports a descriptor for as long as there is something to read.
  func addReader(_ token: EventToken) -> Bool {
    Syscalls.epollAdd(
      descriptor,
      token.descriptor,
      events: EPOLLIN.rawValue,
      token: token.packed
    )
  }

  /// Reports a connection each time something has become possible (edge-triggered), so that it
  /// never has to be changed.
  func addConnection(_ token: EventToken) -> Bool {
    let events =
      EPOLLIN.rawValue | EPOLLPRI.rawValue | EPOLLOUT.rawValue | EPOLLRDHUP.rawValue
      | EPOLLET.rawValue
    return Syscalls.epollAdd(descriptor, token.descriptor, events: events, token: token.packed)
  }

  /// Reports a descriptor no more.
  func remove(_ number: Int32) { Syscalls.epollRemove(descriptor, number) }

  /// Waits for events, so many milliseconds at most; negative: until there is one.
  mutating func wait(milliseconds: Int) {
    count = events.wait(descriptor, milliseconds: milliseconds)
  }

  /// The event at an index in 0..<`count`.
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
