import HTTP
import TreeDomain

/// What a request comes to when it is read: something that is asked of a service, once where
/// it may not block, and perhaps again where it may.
typealias ServiceWork = @Sendable (any TreeService) throws(ServiceError) -> Reply

extension APIContext {
  /// Has something done: here and now if it neither waits nor takes long, else in its turn.
  ///
  /// The one place where a request passes from the thread that serves others, too, to one that may
  /// wait.
  func perform(_ work: @escaping ServiceWork) throws(ServiceError) -> Reply {
    do throws(ServiceError) {
      return try work(nonblocking)
    } catch {
      return try perform(work, after: error)
    }
  }

  /// Has something done again in its turn, if want of time is what it was refused for.
  ///
  /// - Parameters:
  ///   - work: What is to be done.
  ///   - refusal: Why it was not done at once.
  ///   - isRead: Whether it changes nothing.
  /// - Returns: What will come of it.
  /// - Throws: The refusal, if it is another one.
  func perform(
    _ work: @escaping ServiceWork,
    after refusal: ServiceError,
    isRead: Bool = false
  ) throws(ServiceError) -> Reply {
    guard let turn = refusal.turn else { throw refusal }
    return WorkerAnswer.reply(turn.take, isRead: isRead) {
      [service] () throws(ServiceError) in try work(service)
    }
  }
}
