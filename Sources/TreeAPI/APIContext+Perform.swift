import HTTP
import TreeDomain

/// The work of a decoded request, as a call of the service.
///
/// It may be called twice: first under the limits of an event loop, then on an executor without
/// them.
typealias ServiceWork = @Sendable (any TreeService) throws(ServiceError) -> Reply

extension APIContext {
  /// Performs the work of a request, at once if it neither blocks nor takes long.
  ///
  /// Otherwise it runs again on the executor that the attempt names, whose threads may block.
  func perform(
    for request: Request,
    _ work: @escaping ServiceWork
  ) throws(ServiceError) -> Reply {
    let attempt = attempt(at: request)
    do throws(ServiceError) {
      return HeldRead.reply(try work(service.answering(attempt)), attempt)
    } catch {
      return try perform(for: request, work, after: error, attempt)
    }
  }

  /// Performs work again on an executor, if the attempt failed only because of its limits.
  ///
  /// - Parameters:
  ///   - request: The request.
  ///   - work: The work.
  ///   - error: The error that ended the attempt.
  ///   - attempt: The attempt.
  /// - Returns: A deferred reply.
  /// - Throws: The error, if it has another reason.
  func perform(
    for request: Request,
    _ work: @escaping ServiceWork,
    after error: ServiceError,
    _ attempt: Attempt
  ) throws(ServiceError) -> Reply {
    guard let executor = attempt.next else { throw HeldRead.error(error, attempt) }
    let isRead = request.method == .get || request.method == .head
    let makeJob = makeJob(for: request, isLong: attempt.isOutOfTime)
    return WorkerAnswer.reply(on: executor, makeJob, isRead: isRead) {
      [service] attempt throws(ServiceError) in
      do throws(ServiceError) {
        return HeldRead.reply(try work(service.answering(attempt)), attempt, isRead: isRead)
      } catch { throw HeldRead.error(error, attempt) }
    }
  }

  /// Returns a function that creates jobs with the caller and the limits of a request.
  func makeJob(
    for request: Request,
    isLong: Bool = false
  ) -> (@escaping @Sendable (Attempt) -> Void) -> Job {
    let caller = access.keyID(of: request)
    let payer = access.payer(of: request)
    return { [options] body in
      let limit = options.maxRequestSeconds
      return Job(caller: caller, payer: payer, maxSeconds: limit, isLong: isLong, body)
    }
  }
}
