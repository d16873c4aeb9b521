/// The checksum of a write-ahead log (sqlite.org/fileformat2.html#walcksm).
///
/// Two sums over 32-bit words, each of which feeds the other. The checksum of a frame continues
/// that of the frame before.
struct LogChecksum: Equatable {
  var first: UInt32
  var second: UInt32

  /// The byte order in which words are added.
  enum Order {
    case littleEndian
    case bigEndian

    /// The order of this machine.
    static var ofMachine: Order { UInt32(littleEndian: 1) == 1 ? .littleEndian : .bigEndian }

    /// Returns the value of a word as it was read from the file.
    func value(_ word: UInt32) -> UInt32 {
      self == .littleEndian ? UInt32(littleEndian: word) : UInt32(bigEndian: word)
    }
  }

  /// Returns the checksum extended by the words of a range.
  ///
  /// - Precondition: The range has an even number of words.
  func adding(_ words: [UInt32], _ range: Range<Int>, _ order: Order) -> LogChecksum {
    var sum = self
    var index = range.lowerBound
    while index < range.upperBound {
      sum.first &+= order.value(words[index]) &+ sum.second
      sum.second &+= order.value(words[index + 1]) &+ sum.first
      index += 2
    }
    return sum
  }

  /// Returns the checksum from before the words of a range were added.
  ///
  /// Each step can be inverted.
  ///
  /// - Precondition: The range has an even number of words.
  func removing(_ words: [UInt32], _ range: Range<Int>, _ order: Order) -> LogChecksum {
    var sum = self
    var index = range.upperBound
    while index > range.lowerBound {
      index -= 2
      sum.second &-= order.value(words[index + 1]) &+ sum.first
      sum.first &-= order.value(words[index]) &+ sum.second
    }
    return sum
  }
}
