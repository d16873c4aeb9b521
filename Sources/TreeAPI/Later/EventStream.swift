import HTTP
import Synchronization
import TreeDomain

/// What happens to a session as a stream of events (WHATWG HTML, 9.2), one for each revision.
///
/// Nothing is taken from the service before what came before is written, so that a slow reader
/// gets what he missed as one event.
final class EventStream: LateAnswer {
  private let session: SessionID
  private let since: Revision?
  private let options: BatchOptions
  private let call: Call
  private let flow: Mutex<EventFlow>

  /// A stream that goes on after a revision; nil for the one there is.
  init(of session: SessionID, since: Revision?, _ options: BatchOptions, _ call: Call) {
    self.session = session
    self.since = since
    self.options = options
    self.call = call
    flow = Mutex(EventFlow(heartbeatSeconds: call.context.options.heartbeatSeconds))
  }

  func start(_ waker: Waker) {
    do throws(ServiceError) {
      let following = try call.service.follow(session, since: since, options) { waker.wake() }
      flow.withLock { $0.following = following }
    } catch {
      flow.withLock { $0.refusal = error.response }
    }
  }

  func next(now: Moment) -> LateStep { flow.withLock { $0.next(now: now.milliseconds) } }

  func cancel() { flow.withLock { $0.stop() } }

  func drain() { flow.withLock { $0.isDraining = true } }

  func clientFinished() { flow.withLock { $0.isHeartbeatDue = true } }
}
