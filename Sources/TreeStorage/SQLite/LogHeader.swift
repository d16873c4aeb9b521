/// The header of a write-ahead log, 32 bytes (sqlite.org/fileformat2.html#walformat).
struct LogHeader {
  /// How many words it has.
  static let wordCount = 8
  /// In which order its checksums take bytes.
  let order: LogChecksum.Order
  /// What a page has, if the number is one that a page can have.
  let pageBytes: Int?
  /// What all frames written since the log began at its front have in common.
  let salts: LogSalts
  /// Its checksum as it stands there, from which those of the frames go on.
  let stored: LogChecksum
  /// Its checksum as it should be.
  let computed: LogChecksum

  /// Whether it is as it was written.
  var isWhole: Bool { Self.magic.contains(magic) && stored == computed && pageBytes != nil }

  private let magic: UInt32
  /// What it begins with, by the order of its checksums: little-endian, big-endian.
  private static let magic: [UInt32] = [0x377F_0682, 0x377F_0683]
  private static let pageSizes = 512...65_536

  /// Reads a header.
  ///
  /// - Precondition: There are ``wordCount`` words, as they were read.
  init(_ words: [UInt32]) {
    magic = UInt32(bigEndian: words[0])
    pageBytes = Self.pageBytes(Int(UInt32(bigEndian: words[2])))
    salts = LogSalts(words, at: 4)
    stored = LogChecksum(first: UInt32(bigEndian: words[6]), second: UInt32(bigEndian: words[7]))
    let told: LogChecksum.Order = magic == Self.magic[1] ? .bigEndian : .littleEndian
    let sum = LogChecksum(first: 0, second: 0).adding(words, 0..<6, told)
    // SQLite writes its logs in the order of the machine, which is to be told only by a header that
    // is as it was written.
    order = sum == stored ? told : .ofMachine
    computed = sum
  }

  /// A number that a page can have of bytes: a power of two.
  static func pageBytes(_ count: Int) -> Int? {
    pageSizes.contains(count) && count & (count - 1) == 0 ? count : nil
  }
}

/// Two numbers that are others whenever the log begins again at its front.
struct LogSalts: Equatable {
  private let first: UInt32
  private let second: UInt32

  init(_ words: [UInt32], at index: Int) {
    first = words[index]
    second = words[index + 1]
  }
}
