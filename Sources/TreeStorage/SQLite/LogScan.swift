/// Looks through the frames of a write-ahead log, in order, for commits behind a bad frame.
///
/// Whoever recovers a log takes it up to the first frame that does not go on from the one before it
/// (sqlite.org/walformat.html), and so takes back every commit behind a damaged one. That
/// is right behind the last commit only: its frames may have reached the disk in any order when the
/// power went. As every commit is on disk before the next one begins, a frame that goes on from a
/// commit's last one says that this commit was on disk, whole; if there is a bad frame in it or
/// before it, that one was damaged since. What a transaction leaves that was taken back never goes
/// on from a commit behind the bad frame: it went on from what has been written over.
///
/// A frame can be checked against the one before it even if that is bad, as it goes on from the
/// checksum that stands there. Where that one was damaged, from the one that should.
struct LogScan {
  /// How many frames were looked at.
  private(set) var frameCount = 0
  /// The first bad frame, counted from 1; 0 if the header is.
  private(set) var firstBad: Int?
  /// How many commits end in or behind it; of a log that is not damaged it says nothing, as that
  /// frame may be one of the log before it began again.
  private(set) var commitsBehind = 0
  /// Whether the bad frame was whole once.
  private(set) var isDamaged = false

  private let order: LogChecksum.Order
  private let headerIsWhole: Bool
  private var salts: LogSalts?
  /// What the next frame may go on from.
  private var seeds: (stored: LogChecksum, computed: LogChecksum)
  /// Whether the last frame was the last of a commit.
  private var followsCommit = false

  init(_ header: LogHeader) {
    order = header.order
    headerIsWhole = header.isWhole
    firstBad = header.isWhole ? nil : 0
    // What is wrong with the header may be its salts: then the first frame has them.
    salts = header.isWhole ? header.salts : nil
    seeds = (header.stored, header.computed)
  }

  /// Looks at the next frame.
  ///
  /// - Complexity: O(bytes).
  mutating func take(_ frame: LogFrame) {
    frameCount += 1
    let salts = salts ?? frame.salts
    self.salts = salts
    guard frame.salts == salts, frame.page != 0 else {
      return pass(frame, computed: frame.stored, endsCommit: frame.size != 0)
    }
    let computed = frame.checksum(from: seeds.stored, order)
    let goesOn = computed == frame.stored
    if goesOn || frame.stored == other(computed, frame) {
      follow(frame)
    } else {
      let endsCommit = frame.size != 0 || frame.lostItsSize(after: seeds.stored, order)
      pass(frame, computed: computed, endsCommit: endsCommit)
    }
  }

  /// The checksum from what the one before should have, if that is another one.
  private func other(_ computed: LogChecksum, _ frame: LogFrame) -> LogChecksum {
    seeds.stored == seeds.computed ? computed : frame.checksum(from: seeds.computed, order)
  }

  /// Goes on with a frame that goes on from the one before.
  private mutating func follow(_ frame: LogFrame) {
    let endsCommit = frame.size != 0
    if firstBad != nil {
      if endsCommit { commitsBehind += 1 }
      // The header is on disk before the first frame is written.
      if headerIsWhole ? followsCommit : endsCommit { isDamaged = true }
    }
    seeds = (frame.stored, frame.stored)
    followsCommit = endsCommit
  }

  /// Goes on behind a frame that does not.
  private mutating func pass(_ frame: LogFrame, computed: LogChecksum, endsCommit: Bool) {
    if firstBad == nil {
      firstBad = frameCount
      if endsCommit { commitsBehind += 1 }
    }
    seeds = (frame.stored, computed)
    followsCommit = endsCommit
  }
}
