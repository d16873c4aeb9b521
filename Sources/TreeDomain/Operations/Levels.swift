/// How many levels an expansion or a collapse reaches, the named node being the first.
public enum Levels: Equatable, Sendable {
  /// A number of levels, 1 or more.
  case count(Int)
  /// As deep as there is anything.
  case all
}
