import TestSupport

/// The profiles of random sessions that the service is tested with.
enum Served {
  /// Profiles for private trees.
  static let profiles = RandomProfile.all
  /// Profiles for a shared tree.
  static let sharedProfiles = RandomProfile.all
}
