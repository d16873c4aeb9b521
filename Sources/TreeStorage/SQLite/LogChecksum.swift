/// The checksum of a write-ahead log (sqlite.org/fileformat2.html#walcksm).
///
/// Two sums over words of four bytes, each of which is added to the other. It goes on from frame to
/// frame.
struct LogChecksum: Equatable {
  var first: UInt32
  var second: UInt32

  /// In which order the bytes of a word are taken.
  enum Order {
    case littleEndian
    case bigEndian

    /// The order of this machine.
    static var ofMachine: Order { UInt32(littleEndian: 1) == 1 ? .littleEndian : .bigEndian }

    /// The value of a word as it was read.
    func value(_ word: UInt32) -> UInt32 {
      self == .littleEndian ? UInt32(littleEndian: word) : UInt32(bigEndian: word)
    }
  }

  /// The same checksum with some words added, an even number of them.
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

  /// What the checksum was before some words were added: each step can be taken back.
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
