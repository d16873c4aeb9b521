/// The instances and slots of a database, as an instance read them when it extended its lease.
public struct ClusterView: Equatable, Sendable {
  /// An instance whose lease lasts.
  public struct Member: Equatable, Sendable {
    /// Its number in the database, which no other instance ever has.
    public var id: Int
    /// The address at which other instances reach it, as `host:port`; empty if it is alone.
    public var address: String
    /// True if it gives its slots up before it ends.
    public var isLeaving: Bool

    /// Makes an instance.
    public init(id: Int, address: String, isLeaving: Bool = false) {
      self.id = id
      self.address = address
      self.isLeaving = isLeaving
    }
  }

  /// The number of the instance that read this.
  public var id: Int
  /// All instances whose leases last, in the order of their numbers.
  public var members: [Member]
  /// The owner of each slot whose lease lasts; nil if there is none.
  public var owners: [Int?]

  /// Makes a view.
  public init(id: Int, members: [Member], owners: [Int?]) {
    self.id = id
    self.members = members
    self.owners = owners
  }
}
