import TreeDomain

/// A control that pauses for other work as another control does, but never stops work.
final class PausingControl: WorkControl {
  private let control: any WorkControl

  init(_ control: any WorkControl) { self.control = control }

  var payer: String? { control.payer }

  func check() throws(ServiceError) { control.pause() }

  func pause() { control.pause() }
}
