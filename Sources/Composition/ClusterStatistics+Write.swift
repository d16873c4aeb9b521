internal import HTTP
internal import TreeCluster

extension ClusterStatistics {
  /// Writes the metrics of the instance, those of the cluster as it knows it, and of the database.
  func write(to writer: inout MetricsWriter) {
    let gauges: [(name: String, value: Int, help: String)] = [
      ("cluster_instances", instances, "Instances whose leases last, in the whole cluster."),
      ("cluster_slots", slots, "Slots of the database."),
      ("cluster_slots_free", freeSlots, "Slots that no instance owns, in the whole cluster."),
      ("slots_owned", ownSlots, "Slots that this instance serves."),
      ("lease_valid", isValid ? 1 : 0, "1 while the lease of this instance lasts, otherwise 0."),
    ]
    for (name, value, help) in gauges { writer.write("tree_server_" + name, .gauge, value, help) }
    let counters: [(name: String, value: Int, help: String)] = [
      ("slots_acquired_total", acquired, "Slots that this instance has acquired."),
      ("slots_released_total", released, "Slots that this instance has handed over."),
      ("slots_lost_total", dropped, "Slots that this instance has lost to others."),
    ]
    for (name, value, help) in counters {
      writer.write("tree_server_" + name, .counter, value, help)
    }
    guard let databaseBytes else { return }
    writer.write(
      "tree_server_storage_file_bytes",
      .gauge,
      databaseBytes,
      "Bytes of the whole database, of all instances."
    )
  }
}
