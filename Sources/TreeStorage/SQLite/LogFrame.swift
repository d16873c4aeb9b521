/// A frame of a write-ahead log: a header of 24 bytes, and a page
/// (sqlite.org/fileformat2.html#walformat).
struct LogFrame {
  /// The number of words before the page.
  static let headerWords = 6
  /// The number of the page; 0 is invalid.
  var page: UInt32 { words[0] }
  /// The size of the database in pages if the frame ends a commit, otherwise 0.
  ///
  /// The byte order is that of the file.
  var size: UInt32 { words[1] }
  /// The salts of the log when the frame was written.
  var salts: LogSalts { LogSalts(words, at: 2) }
  /// The checksum up to this frame, as stored in it.
  var stored: LogChecksum {
    LogChecksum(first: UInt32(bigEndian: words[4]), second: UInt32(bigEndian: words[5]))
  }

  private let words: [UInt32]
  private var content: Range<Int> { Self.headerWords..<words.count }

  /// Makes a frame from the words of its header and page, as they were read.
  init(_ words: [UInt32]) { self.words = words }

  /// Returns the checksum that the frame should have after a checksum `seed`.
  func checksum(from seed: LogChecksum, _ order: LogChecksum.Order) -> LogChecksum {
    seed.adding(words, 0..<2, order).adding(words, content, order)
  }

  /// Returns true if the frame would be valid with another nonzero ``size``.
  ///
  /// The checksum is 64 bits long, and so are the two numbers before the page. So for every page
  /// there is exactly one pair of numbers that gives the stored checksum. If the first of that pair
  /// is the frame's page number, only the size was damaged.
  func lostItsSize(after seed: LogChecksum, _ order: LogChecksum.Order) -> Bool {
    let before = stored.removing(words, content, order)
    let page = before.first &- seed.first &- seed.second
    let size = before.second &- seed.second &- before.first
    return page == order.value(words[0]) && size != 0
  }
}
