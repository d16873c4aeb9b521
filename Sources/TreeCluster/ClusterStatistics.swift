import Synchronization
import TreeStorage

/// Statistics of an instance and of the cluster, as the instance knows it.
package struct ClusterStatistics: Sendable {
  /// The number of instances whose leases last, this one included.
  package var instances = 0
  /// The number of slots.
  package var slots = 0
  /// The number of slots that this instance serves.
  package var ownSlots = 0
  /// The number of slots that no instance owns.
  package var freeSlots = 0
  /// True while the lease lasts, so that no other instance can have this one's slots.
  package var isValid = false
  /// The number of slots that this instance has acquired.
  package var acquired = 0
  /// The number of slots that this instance has handed over.
  package var released = 0
  /// The number of slots that this instance has lost.
  package var dropped = 0
  /// The size of the database in bytes; nil if it is unknown.
  package var databaseBytes: Int?
}

extension ClusterService {
  /// The statistics of this instance and the cluster.
  package var clusterStatistics: ClusterStatistics {
    var statistics = ClusterStatistics()
    let view = core.state.withLock { $0.view }
    statistics.instances = view?.members.count ?? 0
    statistics.slots = core.cluster.slots.count
    statistics.ownSlots = core.open.count
    statistics.freeSlots = view?.owners.count { $0 == nil } ?? 0
    statistics.isValid = core.cluster.isValid
    statistics.acquired = core.acquired.load(ordering: .relaxed)
    statistics.released = core.released.load(ordering: .relaxed)
    statistics.dropped = core.dropped.load(ordering: .relaxed)
    statistics.databaseBytes = core.cluster.size
    return statistics
  }
}
