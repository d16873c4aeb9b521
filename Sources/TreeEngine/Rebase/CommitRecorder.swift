/// Records commits, so that they can be replayed on a fork.
struct CommitRecorder<Width: NodeWidth>: Sendable {
  /// True if the next commits are recorded.
  var isRecording = false {
    didSet { if !isRecording { record = nil } }
  }
  /// The record of the last commit; nil if it was not recorded, or was popped.
  private var record: CommitRecord<Width>?

  /// Begins the record of a commit, if commits are recorded.
  mutating func begin(_ number: Int, made: [NodeID], removed: [NodeID]) {
    if isRecording { record = CommitRecord(number: number, made: made, removed: removed) }
  }

  /// Adds the effect of the running commit on a view to its record.
  mutating func add(
    _ past: PastView<Width>,
    at slot: Int,
    showsOldNodes: Bool,
    in base: borrowing ViewedForest<Width>
  ) {
    guard var adding = record.take() else { return }
    var came = 0
    if showsOldNodes || base.watchers[slot].isLayered {
      let runs = past.rowRuns
      if adding.canHash(runs) { came = base.hash(of: runs, inViewAt: slot) }
    }
    adding.views[slot] = RecordedView(past: past, came: came)
    record = adding
  }

  /// Removes and returns the record of the last commit.
  ///
  /// The result is nil if it was not recorded, or was too large.
  mutating func pop() -> CommitRecord<Width>? {
    let last = record.take()
    return last?.isComplete == true ? last : nil
  }
}
