/// A control that decides whether a piece of work may continue.
package protocol WorkControl: AnyObject, Sendable {
  /// The name of the caller whose share of memory the work uses; `nil` if there are no shares.
  var payer: String? { get }

  /// Returns if the work may continue, possibly after other work had its share of the processor.
  ///
  /// - Throws: The reason why the work must stop: its limit, its client or the end of the service.
  func check() throws(ServiceError)

  /// Gives other work its share of the processor, where the work cannot be stopped any more.
  func pause()
}

extension WorkControl {
  /// No caller.
  package var payer: String? { nil }

  /// Does nothing.
  package func pause() {}
}
