/// The features that a random test uses.
package struct RandomProfile: Sendable, CustomStringConvertible {
  /// A feature of the contract beyond trees, places and expansion.
  package enum Feature: CaseIterable, Sendable {
    case sections
    /// `setChildren`, counts, and states of children.
    case lazy
    /// `sort`, and mostly a sort of the tree.
    case sort
    case selection
    case filter
    case breadthFirst
    /// An order of siblings in the view.
    case viewSort
    case accordion
    /// `PATCH` of options.
    case patches
    /// `dryRun`, `If-Match`, `Idempotency-Key`.
    case conditions
    /// Change lists since a kept revision.
    case following
    /// Reads of sections, state and search.
    case views
    /// Sessions of a shared tree that cannot change data.
    case access
  }

  /// The name of the profile.
  package let description: String
  /// The features to test.
  package let features: [Feature]

  /// Creates a profile of features.
  package init(_ description: String, _ features: [Feature]) {
    self.description = description
    self.features = features
  }

  /// Returns true if the profile has a feature.
  func has(_ feature: Feature) -> Bool { features.contains(feature) }

  /// The features with operations of their own.
  var operating: [Feature] {
    features.filter { [.sections, .lazy, .sort, .selection].contains($0) }
  }

  /// The profile of places and expansion only.
  package static let plain = RandomProfile("plain", [])
  /// The profile of sections.
  package static let sections = RandomProfile("sections", [.sections])
  /// The profile of `setChildren`, counts, and states of children.
  package static let lazy = RandomProfile("lazy", [.lazy])
  /// The profile of sorted siblings.
  package static let sorted = RandomProfile("sorted", [.sort, .patches])
  /// The profile of selections.
  package static let selection = RandomProfile("selection", [.selection, .patches])
  /// The profile of filters.
  package static let filtered = RandomProfile("filtered", [.filter, .patches])
  /// The profile of the breadth-first order.
  package static let breadthFirst = RandomProfile("breadthFirst", [.breadthFirst, .patches])
  /// The profile of orders of the view.
  package static let viewSorted = RandomProfile("viewSorted", [.viewSort, .patches])
  /// The profile of orders of the view, with the features that they interact with.
  package static let viewSortedAll = RandomProfile(
    "viewSortedAll",
    [
      .viewSort, .patches, .filter, .sections, .breadthFirst, .sort, .following, .conditions,
      .views,
    ]
  )
  /// The profile of accordions.
  package static let accordion = RandomProfile("accordion", [.accordion, .patches])
  /// The profile of all features.
  package static let everything = RandomProfile("everything", Feature.allCases)

  /// The profile of conditions and kept revisions.
  package static let following = RandomProfile("following", [.conditions, .following, .views])

  /// All profiles.
  package static let all = [
    plain, sections, lazy, sorted, selection, filtered, breadthFirst, viewSorted, viewSortedAll,
    accordion, following, everything,
  ]
}
