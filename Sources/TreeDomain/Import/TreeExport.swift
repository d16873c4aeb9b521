/// An export of a tree at one revision, read in pieces.
package protocol TreeExport: Sendable {
  /// The tree's revision.
  var revision: Revision { get }

  /// Returns some more whole lines; `nil` at the end.
  func next() -> [UInt8]?
}
