/// Scans the frames of a write-ahead log, in order, for commits after a bad frame.
///
/// SQLite recovers a log up to the first frame that does not continue the one before
/// (sqlite.org/walformat.html). It drops every commit after that frame. This is right after the
/// last commit: its frames may have reached the disk in any order before a power loss. But every
/// commit is on disk before the next one begins. So a frame that continues the last frame of a
/// commit proves that this commit was once complete on disk. If it or an earlier frame is bad now,
/// the log was damaged later.
///
/// The rest of a transaction that was rolled back is no proof. It continued frames that were
/// overwritten since, so it never continues a commit after the bad frame.
///
/// A frame can be checked even if the one before it is bad, because it continues the checksum
/// stored there. If that checksum was damaged, it continues the computed one.
struct LogScan {
  /// The number of frames that were scanned.
  private(set) var frameCount = 0
  /// The number of the first bad frame, from 1; 0 if the header is bad; nil if none is bad.
  private(set) var firstBad: Int?
  /// The number of commits that end in the bad frame or after it.
  ///
  /// Meaningless if the log is not damaged: the frame may be left from before the log started
  /// again.
  private(set) var commitsBehind = 0
  /// True if the bad frame was once valid.
  private(set) var isDamaged = false

  private let order: LogChecksum.Order
  private let headerIsWhole: Bool
  private var salts: LogSalts?
  /// The checksums that the next frame may continue.
  private var seeds: (stored: LogChecksum, computed: LogChecksum)
  /// True if the last frame ended a commit.
  private var followsCommit = false

  init(_ header: LogHeader) {
    order = header.order
    headerIsWhole = header.isWhole
    firstBad = header.isWhole ? nil : 0
    // The damage may be in the header's salts, so they are taken from the first frame.
    salts = header.isWhole ? header.salts : nil
    seeds = (header.stored, header.computed)
  }

  /// Scans the next frame.
  ///
  /// - Complexity: O(*n*) for a frame of *n* bytes.
  mutating func accept(_ frame: LogFrame) {
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

  /// Returns the checksum of a frame, continued from the computed checksum of the previous frame.
  ///
  /// Returns `computed` if the previous frame's computed and stored checksums are the same.
  private func other(_ computed: LogChecksum, _ frame: LogFrame) -> LogChecksum {
    seeds.stored == seeds.computed ? computed : frame.checksum(from: seeds.computed, order)
  }

  /// Accepts a frame that continues the one before.
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

  /// Accepts a frame that does not continue the one before.
  private mutating func pass(_ frame: LogFrame, computed: LogChecksum, endsCommit: Bool) {
    if firstBad == nil {
      firstBad = frameCount
      if endsCommit { commitsBehind += 1 }
    }
    seeds = (frame.stored, computed)
    followsCommit = endsCommit
  }
}
