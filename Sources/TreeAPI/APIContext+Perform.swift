import HTTP
import TreeDomain

/// The work of a request that was read: something that is asked of a service, once where it must
/// be small, and perhaps again where it may wait and take its time.
typealias ServiceWork = @Sendable (any TreeService) throws(ServiceError) -> Reply

extension APIContext {
  /// Has the work of a request done: here and now if it neither waits nor takes long, else on the
  /// executor that the attempt names.
  ///
  /// The one place where a request passes from the thread that serves others, too, to one that may
  /// wait.
  func perform(
    for request: Request,
    _ work: @escaping ServiceWork
  ) throws(ServiceError) -> Reply {
    let attempt = Attempt()
    do throws(ServiceError) {
      return try work(service.answering(attempt))
    } catch {
      return try perform(for: request, work, after: error, attempt)
    }
  }

  /// Has work done again on an executor, if want of time is what it was refused for.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - work: The work.
  ///   - error: The error with which the attempt ended.
  ///   - attempt: The attempt at it.
  /// - Returns: The answer that will come.
  /// - Throws: The error, if it is another one.
  func perform(
    for request: Request,
    _ work: @escaping ServiceWork,
    after error: ServiceError,
    _ attempt: Attempt
  ) throws(ServiceError) -> Reply {
    guard let executor = attempt.next else { throw error }
    let isRead = request.method == .get || request.method == .head
    let makeJob = makeJob(for: request, isLong: attempt.isOutOfTime)
    return WorkerAnswer.reply(on: executor, makeJob, isRead: isRead) {
      [service] attempt throws(ServiceError) in try work(service.answering(attempt))
    }
  }

  /// Returns a maker of jobs for a request, with its caller and limits.
  func makeJob(
    for request: Request,
    isLong: Bool = false
  ) -> (@escaping @Sendable (Attempt) -> Void) -> Job {
    let caller = access.keyID(of: request)
    return { [options] body in
      Job(caller: caller, maxSeconds: options.maxRequestSeconds, isLong: isLong, body)
    }
  }
}
