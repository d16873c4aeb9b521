/// Decides whether a piece of work may go on.
public protocol WorkControl: AnyObject, Sendable {
  /// The name of the caller whose share of memory the work uses; `nil` if there are no shares.
  var payer: String? { get }

  /// Returns if the work may go on, perhaps after others had their share of the processor.
  ///
  /// - Throws: An error that says why the work has to stop: its limit, its client, or the end of
  ///   the service.
  func check() throws(ServiceError)

  /// Gives others their share of the processor, where the work can no longer be stopped.
  func pause()
}

extension WorkControl {
  /// Nobody.
  public var payer: String? { nil }

  /// Does nothing.
  public func pause() {}
}
