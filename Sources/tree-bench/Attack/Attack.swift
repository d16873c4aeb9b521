/// A way in which a hostile or careless client could hold up others.
struct Attack: Sendable {
  /// The name on the command line.
  var name: String
  /// A size for tests, which takes little time.
  var smallSize: Int
  /// The size at which the attack once succeeded.
  var largeSize: Int
  /// The settings of the server.
  var settings: [String] = []
  /// The names of clients, each with its own key; empty for a server without keys.
  var callers: [String] = []
  /// Prepares trees, calls ``AttackField/begin(reading:)`` and starts the attackers.
  var run: @Sendable (AttackField) -> Void

  /// All attacks.
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
