import HTTP
import Synchronization
import TreeDomain

/// The changes of a session as a stream of events (WHATWG HTML, 9.2).
///
/// Nothing is taken from the service before what came before is written, so that a slow reader
/// gets what it missed as one event.
final class EventStream: LateAnswer {
  private let waker = LateWaker()
  private let flow: Mutex<EventFlow>

  /// Makes a stream that begins after the last event that came, or else after `since`, or else
  /// after the current revision.
  ///
  /// - Throws: The reason why the session cannot be followed, if that is known at once; later it is
  ///   an event.
  init(of session: SessionID, _ options: BatchOptions, _ call: Call) throws(ServiceError) {
    let waker = waker
    let (last, since) = (call.lastEvent(), try call.query.since())
    let interval = try call.query.interval()
    let following = try call.service.follow(
      session,
      since: last ?? since,
      composes: interval > 0,
      options
    ) { waker.wake() }
    let seconds = call.context.options.heartbeatSeconds
    flow = Mutex(EventFlow(of: following, interval: interval, heartbeatSeconds: seconds))
  }

  func start(_ waker: Waker) { self.waker.attach(waker) }

  func next(now: Moment) -> LateStep { flow.withLock { $0.next(now: now.milliseconds) } }

  func cancel() { flow.withLock { $0.stop() } }

  func drain() { flow.withLock { $0.isDraining = true } }

  func clientFinished() { flow.withLock { $0.isHeartbeatDue = true } }
}
