import HTTP
import Synchronization
import TreeDomain

/// The changes of a session as an event stream (WHATWG HTML, 9.2).
///
/// Events are fetched from the service only after earlier ones are written. A slow client therefore
/// gets the changes it missed as one event.
final class EventStream: LateAnswer {
  private let waker = LateWaker()
  private let flow: Mutex<EventFlow>

  /// Creates a stream that begins after the last received event, else after `since`, else at the
  /// current revision.
  ///
  /// - Throws: The reason why the session cannot be followed, if it is known at once. Otherwise it
  ///   is sent as an event.
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
    flow = Mutex(
      EventFlow(
        of: following,
        interval: interval,
        heartbeatSeconds: seconds,
        isMinimal: call.isMinimal(options.format),
        access: HeldAccess(of: call.request, call.context.access)
      )
    )
  }

  func start(_ waker: Waker) { self.waker.attach(waker) }

  func next(now: Moment) -> LateStep { flow.withLock { $0.next(now: now.milliseconds) } }

  func cancel() { flow.withLock { $0.stop() } }

  func drain() { flow.withLock { $0.isDraining = true } }

  func clientFinished() { flow.withLock { $0.isHeartbeatDue = true } }
}
