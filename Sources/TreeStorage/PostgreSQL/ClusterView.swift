/// The instances and slots of a database, as an instance read them when it extended its lease.
package struct ClusterView: Equatable, Sendable {
  /// An instance whose lease lasts.
  package struct Member: Equatable, Sendable {
    /// Its number in the database, which is never used again.
    package var id: Int
    /// The address at which other instances reach it, as `host:port`; empty if it is alone.
    package var address: String
    /// True if it is releasing its slots, because it will stop.
    package var isLeaving: Bool

    /// Creates a description of an instance.
    package init(id: Int, address: String, isLeaving: Bool = false) {
      self.id = id
      self.address = address
      self.isLeaving = isLeaving
    }
  }

  /// The number of the instance that read this.
  package var id: Int
  /// All instances whose leases last, in the order of their numbers.
  package var members: [Member]
  /// The owner of each slot; nil if it has none, or if the lease of its owner is over.
  package var owners: [Int?]

  /// Creates a view.
  package init(id: Int, members: [Member], owners: [Int?]) {
    self.id = id
    self.members = members
    self.owners = owners
  }
}
