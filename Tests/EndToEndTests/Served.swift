import TestSupport

/// The parts of the contract that random sessions are led through.
enum Served {
  /// Over private trees.
  static let profiles = RandomProfile.all
  /// Over a shared tree.
  static let sharedProfiles = RandomProfile.all
}
