// Views that were removed leave gaps, which every change of the tree passes over.
extension SizedTree {
  /// True if removed views leave so many gaps that packing is worthwhile.
  ///
  /// - Complexity: O(1).
  public var wantsPacking: Bool { watchers.count > 2 * viewCount + 64 }

  /// Closes the gaps of removed views, which gives the other views new identifiers.
  ///
  /// - Returns: The new identifier for each former one.
  /// - Precondition: No transaction is running.
  /// - Complexity: O(views and gaps).
  @specialized(where Width == Fanout<64>)
  public mutating func packViews() -> [ViewID: ViewID] {
    precondition(transaction == nil, "views move between transactions")
    var new: [ViewID: ViewID] = [:]
    var packed: [Watcher<Width>] = []
    packed.reserveCapacity(viewCount)
    for slot in watchers.indices where !watchers[slot].view.isVacant {
      new[ViewID(slot: slot)] = ViewID(slot: packed.count)
      packed.append(watchers[slot])
    }
    layered = Set(layered.compactMap { new[ViewID(slot: $0)]?.slot })
    watchers = packed
    vacantSlots = []
    return new
  }
}
