/// A violation of a rule in the repository.
struct Finding: Equatable, Sendable, CustomStringConvertible {
  /// The file, relative to the root of the repository.
  let path: String

  /// The line, counted from 1.
  let line: Int

  /// The description of the violation.
  let message: String

  /// The finding in a form that editors turn into a link.
  var description: String { "\(path):\(line): \(message)" }
}
