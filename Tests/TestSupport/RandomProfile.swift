/// Which parts of the contract a random test comes upon.
package struct RandomProfile: Sendable, CustomStringConvertible {
  /// A part of the contract beyond trees, places and expansion.
  package enum Feature: CaseIterable, Sendable {
    case sections
    /// `setChildren`, hints, and what is known of children.
    case lazy
    /// `sort`, and a tree-level sort most of the time.
    case sort
    case selection
    case filter
    case breadthFirst
    /// Siblings of rows in an order of the session's own.
    case viewSort
    case accordion
    /// Changed options.
    case patches
    /// `dryRun`, `If-Match`, `Idempotency-Key`.
    case conditions
    /// What became of the rows since a revision that is kept.
    case following
    /// Sections, state and search as they are read.
    case views
    /// Sessions of a shared tree that may change no data.
    case access
  }

  /// The name of the profile.
  package let description: String
  /// The parts that are tried.
  package let features: [Feature]

  /// A profile of some features.
  package init(_ description: String, _ features: [Feature]) {
    self.description = description
    self.features = features
  }

  /// Whether a part is tried.
  func has(_ feature: Feature) -> Bool { features.contains(feature) }

  /// The parts that have operations of their own.
  var operating: [Feature] {
    features.filter { [.sections, .lazy, .sort, .selection].contains($0) }
  }

  /// Private trees, places and expansion.
  package static let plain = RandomProfile("plain", [])
  /// Sections.
  package static let sections = RandomProfile("sections", [.sections])
  /// `setChildren`, hints, and what is known of children.
  package static let lazy = RandomProfile("lazy", [.lazy])
  /// Sorted siblings.
  package static let sorted = RandomProfile("sorted", [.sort, .patches])
  /// Selections.
  package static let selection = RandomProfile("selection", [.selection, .patches])
  /// Filters.
  package static let filtered = RandomProfile("filtered", [.filter, .patches])
  /// The other order.
  package static let breadthFirst = RandomProfile("breadthFirst", [.breadthFirst, .patches])
  /// Orders of views.
  package static let viewSorted = RandomProfile("viewSorted", [.viewSort, .patches])
  /// Orders of views with all that they are combined with.
  package static let viewSortedAll = RandomProfile(
    "viewSortedAll",
    [
      .viewSort, .patches, .filter, .sections, .breadthFirst, .sort, .following, .conditions,
      .views,
    ]
  )
  /// Accordions.
  package static let accordion = RandomProfile("accordion", [.accordion, .patches])
  /// All of it at once.
  package static let everything = RandomProfile("everything", Feature.allCases)

  /// Conditions and kept revisions.
  package static let following = RandomProfile("following", [.conditions, .following, .views])

  /// Every profile.
  package static let all = [
    plain, sections, lazy, sorted, selection, filtered, breadthFirst, viewSorted, viewSortedAll,
    accordion, following, everything,
  ]
}
