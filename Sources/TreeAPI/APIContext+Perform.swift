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
      guard let turn = error.turn else { throw error }
      return WorkerAnswer.reply(turn.take) { [service] () throws(ServiceError) in try work(service)
      }
    }
  }
}
