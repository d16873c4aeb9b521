import Synchronization

/// The descriptors of one event loop, opened before its thread starts so that failing can be
/// reported, and the word by which other threads tell it to stop.
final class LoopResources: Sendable {
  let epoll: FileDescriptor
  let wakeup: FileDescriptor
  /// The deadline of the stop in monotonic milliseconds; 0 while none is asked for.
  ///
  /// Releasing and acquiring order nothing else: the number is all there is to say.
  private let stopWord = Atomic(0)

  init() throws(SystemError) {
    epoll = try Syscalls.epollCreate()
    wakeup = try Syscalls.eventCreate()
  }

  /// The deadline by which the loop is to end, nil if it is not to.
  var stopDeadline: Int? {
    let word = stopWord.load(ordering: .acquiring)
    return word == 0 ? nil : word
  }

  /// Asks the loop to end.
  ///
  /// Safe from any thread.
  func requestStop(deadline: Int) {
    stopWord.store(max(deadline, 1), ordering: .releasing)
    Syscalls.eventSignal(wakeup.number)
  }
}
