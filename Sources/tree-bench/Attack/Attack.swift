/// A way in which a hostile or careless client could hold up others.
struct Attack: Sendable {
  /// The name by which the command line picks it.
  var name: String
  /// A size that takes next to no time, for the tests.
  var smallSize: Int
  /// The size at which it hurt.
  var largeSize: Int
  /// Settings that the server is started with.
  var settings: [String] = []
  /// Names of clients that get a key each; empty for a server without keys.
  var callers: [String] = []
  /// Prepares trees, calls ``AttackField/begin(reading:)`` and starts the attackers.
  var run: @Sendable (AttackField) -> Void

  /// All there are.
  static let all: [Attack] = [
    sortedUpdates, byteSorts, unsortedPlaces, rollback, revealChain, globs,
    viewMemory, manyFilters, abandonedSearches,
    ancestors, unreadPages, openAPI, slowExports,
    sigterm, manyCallers,
  ]

  /// Makes the attack on a service.
  ///
  /// - Parameters:
  ///   - target: The service.
  ///   - size: The size; nil for the largest.
  /// - Returns: The times of all requests and the state of the server.
  func make(on target: ServiceTarget, size: Int? = nil) -> AttackReport {
    let field = AttackField(self, on: target, size: size ?? largeSize)
    run(field)
    return field.finish()
  }
}
