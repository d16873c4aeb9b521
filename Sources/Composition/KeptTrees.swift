internal import TreeCluster
internal import TreeDomain
internal import TreeSessions

/// The trees and sessions of this process, and their upkeep.
protocol KeptTrees: TreeService {
  /// True if unused data should be dropped to free memory.
  var isMemoryTight: Bool { get }

  /// Drops unused data until memory is no longer tight.
  func relieveMemory()

  /// Runs maintenance, every ``SessionStore/maintenanceSeconds``.
  func runMaintenance()

  /// Makes ``TreeService/readiness`` report the coming stop.
  func drain()

  /// Writes everything, after the last request was answered.
  func stop()
}

extension SessionStore: KeptTrees {}
extension ClusterService: KeptTrees {}
