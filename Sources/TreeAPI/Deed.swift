import HTTP
import TreeDomain

/// What a request comes to when it is read: something that is asked of a service, once with haste
/// and perhaps again with time.
typealias Deed = @Sendable (any TreeService) throws(ServiceError) -> Reply

extension APIContext {
  /// Has something done: here and now if it neither waits nor takes long, else in its turn.
  ///
  /// The one place where a request passes from the thread that serves others, too, to one that may
  /// wait.
  func perform(_ deed: @escaping Deed) throws(ServiceError) -> Reply {
    do throws(ServiceError) {
      return try deed(hasty)
    } catch {
      guard let turn = error.turn else { throw error }
      return Errand.reply(turn.take) { [service] () throws(ServiceError) in try deed(service) }
    }
  }
}
