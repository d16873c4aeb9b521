/// A frame of a write-ahead log: a header of 24 bytes, and a page
/// (sqlite.org/fileformat2.html#walformat).
struct LogFrame {
  /// How many words stand before the page.
  static let headerWords = 6
  /// The number of the page; 0 of none there is.
  var page: UInt32 { words[0] }
  /// How many pages the database has then, if the frame is the last of a commit, or else 0; in
  /// whatever order of bytes.
  var size: UInt32 { words[1] }
  /// Those of the log when it was written.
  var salts: LogSalts { LogSalts(words, at: 2) }
  /// The checksum up to here, as it stands there.
  var stored: LogChecksum {
    LogChecksum(first: UInt32(bigEndian: words[4]), second: UInt32(bigEndian: words[5]))
  }

  private let words: [UInt32]
  private var content: Range<Int> { Self.headerWords..<words.count }

  /// - Precondition: There are the words of a header and a page, as they were read.
  init(_ words: [UInt32]) { self.words = words }

  /// The checksum up to here, as it should be.
  func checksum(from seed: LogChecksum, _ order: LogChecksum.Order) -> LogChecksum {
    seed.adding(words, 0..<2, order).adding(words, content, order)
  }

  /// Whether the frame would go on if ``size`` were another number, and not 0.
  ///
  /// The two numbers before the page are as many bytes as a checksum: whatever the page is, there
  /// are two with which it has the one that stands there. That the first is the page's number is no
  /// chance.
  func lostItsSize(after seed: LogChecksum, _ order: LogChecksum.Order) -> Bool {
    let before = stored.removing(words, content, order)
    let page = before.first &- seed.first &- seed.second
    let size = before.second &- seed.second &- before.first
    return page == order.value(words[0]) && size != 0
  }
}
