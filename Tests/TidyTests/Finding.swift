/// A place where the repository breaks a rule of the house.
struct Finding: Equatable, Sendable, CustomStringConvertible {
  /// The file, from the root of the repository.
  let path: String

  /// The line, counted from 1.
  let line: Int

  /// What is wrong there.
  let message: String

  /// The finding in the form that editors make a link of.
  var description: String { "\(path):\(line): \(message)" }
}
