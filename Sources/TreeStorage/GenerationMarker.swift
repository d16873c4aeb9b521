internal import Glibc
internal import Synchronization
internal import TreeDomain

/// A small file beside the database that tells which database its folder had last, and how far it
/// was.
///
/// It is no part of a backup: it stays in the folder when a backup is put there. It is written
/// after the database, and tells of commits that are on disk, so that it is never ahead of a
/// database that nobody replaced:
///
/// - The number of commits is written after each commit, without waiting for the disk. After
///   `kill -9` the file has the last number that was written, since the system keeps it. After a
///   loss of power it has that or an earlier one. Both are at most the database's own number, which
///   was on disk before.
/// - All else is written and synced: what names a generation before the generation begins, and a
///   block of revisions before one of them is given out.
///
/// A file that is missing or was written in part says nothing: then the database is compared with
/// what it has kept of itself alone. All of it is in one sector of a disk.
final class GenerationMarker: Sendable {
  /// The content of the file.
  struct Contents: Equatable {
    /// Names the generation.
    var token: Int
    /// The block of revisions above which the next generation begins; see ``Generations``.
    var block: UInt64
    /// The number of the generation that is stored.
    var generation: Int
    /// The number of the last generation in which changes were lost; nil if none is known.
    ///
    /// Readers were shown them, so that the generation behind it begins at the next start.
    var lossGeneration: Int?
    /// The number of the last commit with entries that is surely on disk.
    var commits: Int

    /// True if changes were lost in a stored generation or a later one.
    func isLost(in last: StoredGeneration) -> Bool { (lossGeneration ?? -1) >= last.number }
  }

  /// Its name in the folder, not one of those that begin as the database's: whoever removes
  /// `trees.sqlite*` and puts a backup there leaves it.
  static let name = "generation"

  private static let magic = 0x3247_4545_5254_4647
  /// The number of words before those that are written after each commit.
  private static let headWords = 6
  private static let wordBytes = MemoryLayout<Int>.size

  private let descriptor: Int32
  private let path: String
  private let written: Mutex<Contents>

  /// Opens the file of a folder, makes it where there is none, and has it tell something.
  ///
  /// - Parameters:
  ///   - path: The file.
  ///   - contents: The content.
  ///   - isWritten: True if the file is known to have that content.
  /// - Throws: ``StorageError/failed(_:)``, or ``StorageError/full(_:)``.
  init(_ path: String, _ contents: Contents, isWritten: Bool = false) throws(StorageError) {
    self.path = path
    descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC, 0o600)
    guard descriptor >= 0 else { throw DataFolder.failure("open \(path)") }
    written = Mutex(contents)
    if !isWritten { try writeAll(contents) }
  }

  deinit { close(descriptor) }

  /// Notes that a commit is on disk.
  ///
  /// Where this fails, the file tells of an earlier one, which is no harm but that a backup of a
  /// later one is not known for what it is.
  func note(commits: Int) {
    written.withLock { written in
      guard written.commits != commits else { return }
      written.commits = commits
      let words: InlineArray<2, Int> = [commits, Checksum([written.token, commits]).value]
      _ = write(words, at: Self.headWords)
    }
  }

  /// Makes sure that the file tells of a block of revisions before one of them is given out.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where it cannot be written.
  func reserve(block: UInt64) throws(StorageError) {
    try change { $0.block = max($0.block, block) }
  }

  /// Makes sure that the next start begins a generation above a block.
  ///
  /// - Parameters:
  ///   - generation: The number of the current generation, stored or not.
  ///   - block: The block of the highest revision that was lost.
  /// - Throws: ``StorageError/failed(_:)`` where it cannot be written.
  func noteLoss(in generation: Int, block: UInt64) throws(StorageError) {
    try change { contents in
      contents.lossGeneration = max(contents.lossGeneration ?? generation, generation)
      contents.block = max(contents.block, block)
    }
  }

  /// Notes that a generation is stored.
  ///
  /// - Parameters:
  ///   - generation: Its number.
  ///   - block: The block of its first revision.
  /// - Throws: ``StorageError/failed(_:)`` where it cannot be written.
  func enter(generation: Int, block: UInt64) throws(StorageError) {
    try change { contents in
      contents.generation = generation
      contents.block = max(contents.block, block)
    }
  }

  /// Changes the content, and waits until it is on disk.
  private func change(_ body: (inout Contents) -> Void) throws(StorageError) {
    try written.withLock { written throws(StorageError) in
      var contents = written
      body(&contents)
      guard contents != written else { return }
      try writeAll(contents)
      written = contents
    }
  }

  /// Returns what the file at a path tells; nil where there is none, or not all of one.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where it cannot be read.
  static func read(_ path: String) throws(StorageError) -> Contents? {
    guard try DataFolder.isThere(path) else { return nil }
    try DataFolder.checkIsFile(path)
    var words: [UInt32] = Array(repeating: 0, count: 2 * (headWords + 2))
    guard try WordFile(path).read(&words, at: 0) else { return nil }
    let numbers = stride(from: 0, to: words.count, by: 2).map { place in
      Int(truncatingIfNeeded: UInt64(words[place + 1]) << 32 | UInt64(words[place]))
    }
    let head = Checksum([numbers[1], numbers[2], numbers[3], numbers[4]])
    guard numbers[0] == magic, numbers[5] == head.value else { return nil }
    var contents = Contents(
      token: numbers[1],
      block: UInt64(truncatingIfNeeded: numbers[2]),
      generation: numbers[3],
      lossGeneration: numbers[4] < 0 ? nil : numbers[4],
      commits: numbers[6]
    )
    if numbers[7] != Checksum([contents.token, contents.commits]).value { contents.commits = 0 }
    return contents
  }

  private func writeAll(_ contents: Contents) throws(StorageError) {
    let block = Int(truncatingIfNeeded: contents.block)
    let loss = contents.lossGeneration ?? -1
    let head = Checksum([contents.token, block, contents.generation, loss]).value
    let words: InlineArray<8, Int> = [
      Self.magic, contents.token, block, contents.generation, loss, head,
      contents.commits, Checksum([contents.token, contents.commits]).value,
    ]
    guard write(words, at: 0), fsync(descriptor) == 0 else {
      throw DataFolder.failure("write \(path)")
    }
  }

  /// Writes words from a word on; false where not all of them were written.
  private func write<let count: Int>(_ words: InlineArray<count, Int>, at place: Int) -> Bool {
    let words = InlineArray<count, Int> { words[$0].littleEndian }
    return unsafe words.span.bytes.withUnsafeBytes { buffer in
      unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, place * Self.wordBytes)
        == buffer.count
    }
  }
}
