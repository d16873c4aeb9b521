/// A tree being written, line by line, as it was at one revision.
public protocol TreeExport: Sendable {
  /// The tree's revision.
  var revision: Revision { get }

  /// Some more whole lines; `nil` at the end.
  func next() -> [UInt8]?
}
