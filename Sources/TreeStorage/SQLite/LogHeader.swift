/// The header of a write-ahead log, 32 bytes (sqlite.org/fileformat2.html#walformat).
struct LogHeader {
  /// The number of words in a header.
  static let wordCount = 8
  /// The byte order of the checksums.
  let order: LogChecksum.Order
  /// The size of a page in bytes; nil if the stored size is invalid.
  let pageBytes: Int?
  /// The salts of all frames that were written since the log last started at its front.
  let salts: LogSalts
  /// The stored checksum, which the checksum of the first frame continues.
  let stored: LogChecksum
  /// The checksum that the header should have.
  let computed: LogChecksum

  /// True if the header is as it was written.
  var isWhole: Bool { Self.magic.contains(magic) && stored == computed && pageBytes != nil }

  private let magic: UInt32
  /// The first word of the file, for little-endian and for big-endian checksums.
  private static let magic: [UInt32] = [0x377F_0682, 0x377F_0683]
  private static let pageSizes = 512...65_536

  /// Reads a header.
  ///
  /// - Precondition: `words` has ``wordCount`` words, as they were read.
  init(_ words: [UInt32]) {
    magic = UInt32(bigEndian: words[0])
    pageBytes = Self.pageBytes(Int(UInt32(bigEndian: words[2])))
    salts = LogSalts(words, at: 4)
    stored = LogChecksum(first: UInt32(bigEndian: words[6]), second: UInt32(bigEndian: words[7]))
    let told: LogChecksum.Order = magic == Self.magic[1] ? .bigEndian : .littleEndian
    let sum = LogChecksum(first: 0, second: 0).adding(words, 0..<6, told)
    // SQLite writes logs in the order of the machine. Only an intact header can say otherwise.
    order = sum == stored ? told : .ofMachine
    computed = sum
  }

  /// Returns a number of bytes if it is a valid page size, a power of two; otherwise nil.
  static func pageBytes(_ count: Int) -> Int? {
    pageSizes.contains(count) && count & (count - 1) == 0 ? count : nil
  }
}

/// Two numbers that change whenever the log starts again at its front.
struct LogSalts: Equatable {
  private let first: UInt32
  private let second: UInt32

  init(_ words: [UInt32], at index: Int) {
    first = words[index]
    second = words[index + 1]
  }
}
