internal import Glibc
internal import Synchronization
internal import TreeDomain

/// A small file beside the database that identifies the last database of the folder and its last
/// commit.
///
/// It is not part of a backup, so it stays in the folder when a backup is restored there. Its
/// content describes commits that are on disk already. So it is never ahead of the database, unless
/// that was replaced:
///
/// - The number of commits is written after each commit, without a sync. After `kill -9` the file
///   has the last number, because the system keeps it. After a power loss it has that number or an
///   earlier one.
/// - Everything else is written and synced. The token of a generation is on disk before the
///   generation begins. A block of revisions is on disk before one of them is given out.
///
/// A copy of the whole folder may be written into the files of the folder, this one included. To
/// detect that, each start and each stop replaces the file by a new one, and the database stores
/// the identities of both; see ``renew(_:_:store:)``. The file fits in one sector of a disk.
final class GenerationMarker: Sendable {
  /// The content of the file.
  struct Contents: Equatable {
    /// The random name of the generation, the same as in the database.
    var token: Int
    /// The block of revisions above which the next generation begins; see ``Generations``.
    var block: UInt64
    /// The number of the last generation that is known to be stored.
    var generation: Int
    /// The number of the last generation in which changes were lost; nil if none is known.
    ///
    /// Readers may have seen those changes, so the next start begins a new generation.
    var lossGeneration: Int?
    /// The number of the last commit with entries that is known to be on disk.
    var commits: Int
    /// The random name of the file; 0 until the file is replaced for the first time.
    var nonce = 0

    /// Returns true if changes were lost in generation `last` or a later one.
    func isLost(in last: StoredGeneration) -> Bool { (lossGeneration ?? -1) >= last.number }
  }

  /// The name of the file.
  ///
  /// It does not start with the database's name, so that `rm trees.sqlite*` before a restore keeps
  /// the marker.
  static let name = "generation"
  /// The suffix of a file that is about to replace the marker.
  private static let nextSuffix = ".new"

  private static let magic = 0x3247_4545_5254_4647
  /// The number of words before those that are written after each commit.
  private static let headWords = 6
  private static let wordBytes = MemoryLayout<Int>.size

  private struct Written {
    var descriptor: Int32
    var contents: Contents
    var identity: MarkerIdentity
    /// The folder, while the disk may still have the former file under this name.
    var unsyncedFolder: DataFolder?
  }

  private let path: String
  private let written: Mutex<Written>

  /// Opens the file, and creates it if there is none.
  ///
  /// - Parameters:
  ///   - path: The path of the file. A symbolic link is refused.
  ///   - contents: The content to write.
  ///   - isWritten: True if the file has that content already.
  ///   - origin: Returns the origin of a file.
  /// - Throws: ``StorageError/failed(_:)``.
  convenience init(
    _ path: String,
    _ contents: Contents,
    isWritten: Bool = false,
    origin: (String) -> FileOrigin? = DataFolder.origin
  ) throws(StorageError) {
    try self.init(path, contents, isWritten: isWritten, flags: 0, origin)
  }

  private init(
    _ path: String,
    _ contents: Contents,
    isWritten: Bool,
    flags: Int32,
    _ origin: (String) -> FileOrigin?
  ) throws(StorageError) {
    self.path = path
    let descriptor = unsafe open(path, O_RDWR | O_CREAT | O_NOFOLLOW | O_CLOEXEC | flags, 0o600)
    guard descriptor >= 0 else { throw DataFolder.failure("open \(path)") }
    do throws(StorageError) {
      if !isWritten { try Self.write(contents, to: descriptor, path) }
      guard let origin = origin(path) else { throw DataFolder.failure("look at \(path)") }
      written = Mutex(
        Written(
          descriptor: descriptor,
          contents: contents,
          identity: MarkerIdentity(nonce: contents.nonce, origin: origin)
        )
      )
    } catch {
      close(descriptor)
      throw error
    }
  }

  deinit { written.withLock { _ = close($0.descriptor) } }

  /// The identity of the file.
  var identity: MarkerIdentity { written.withLock(\.identity) }

  /// Replaces the file by a new one with the same content.
  ///
  /// The database has the identities of both before the new one gets its name. So after a crash,
  /// the folder has a file that the database knows.
  ///
  /// - Parameters:
  ///   - folder: The folder of the file.
  ///   - origin: Returns the origin of a file.
  ///   - store: Commits the identities of the present file and the new one.
  /// - Throws: ``StorageError`` if that is not possible. The present file stays in use then.
  func renew(
    _ folder: DataFolder,
    _ origin: (String) -> FileOrigin?,
    store: (MarkerIdentity, MarkerIdentity) throws(StorageError) -> Void
  ) throws(StorageError) {
    try written.withLock { written throws(StorageError) in
      var contents = written.contents
      contents.nonce = Int.random(in: 1...Int.max)
      let next = path + Self.nextSuffix
      unsafe unlink(next)
      do throws(StorageError) {
        let marker = try GenerationMarker(next, contents, isWritten: false, flags: O_EXCL, origin)
        // The present file must be the one that the disk has, before the database forgets the
        // one before it.
        try folder.sync()
        try store(written.identity, marker.identity)
        guard unsafe rename(next, path) == 0 else { throw DataFolder.failure("rename \(next)") }
        // The other object closes the former file.
        marker.written.withLock { swap(&$0, &written) }
        written.unsyncedFolder = folder
        try? Self.syncName(&written)
      } catch {
        unsafe unlink(next)
        throw error
      }
    }
  }

  /// Records that a commit is on disk.
  ///
  /// Does not wait for the disk, and ignores failures.
  ///
  /// If the write fails, the file has an earlier number. The only consequence is that a backup made
  /// after that number is not recognized as one.
  func record(commits: Int) {
    written.withLock { written in
      guard written.contents.commits != commits else { return }
      written.contents.commits = commits
      let token = written.contents.token
      let words: InlineArray<2, Int> = [commits, Checksum([token, commits]).value]
      _ = Self.write(words, at: Self.headWords, to: written.descriptor)
    }
  }

  /// Records a block of revisions, before one of them is given out.
  ///
  /// Waits until it is on disk.
  ///
  /// - Throws: ``StorageError/failed(_:)``.
  func reserve(block: UInt64) throws(StorageError) {
    try change(isNameNeeded: true) { $0.block = max($0.block, block) }
  }

  /// Records lost changes, so that the next start begins a generation above a block.
  ///
  /// - Parameters:
  ///   - generation: The number of the current generation, stored or not.
  ///   - block: The block of the highest lost revision.
  /// - Throws: ``StorageError/failed(_:)``.
  func recordLoss(in generation: Int, block: UInt64) throws(StorageError) {
    try change { contents in
      contents.lossGeneration = max(contents.lossGeneration ?? generation, generation)
      contents.block = max(contents.block, block)
    }
  }

  /// Records that a generation is stored.
  ///
  /// - Parameters:
  ///   - generation: The number of the generation.
  ///   - block: The block of its first revision.
  /// - Throws: ``StorageError/failed(_:)``.
  func enter(generation: Int, block: UInt64) throws(StorageError) {
    try change { contents in
      contents.generation = generation
      contents.block = max(contents.block, block)
    }
  }

  /// Changes the content, and waits until it is on disk.
  ///
  /// If the name of a block cannot be written, that is an error only with `isNameNeeded`.
  private func change(
    isNameNeeded: Bool = false,
    _ body: (inout Contents) -> Void
  ) throws(StorageError) {
    try written.withLock { written throws(StorageError) in
      var contents = written.contents
      body(&contents)
      guard contents != written.contents else { return }
      do throws(StorageError) {
        if contents.block > written.contents.block {
          try BlockName.add(contents.block, to: path)
        }
      } catch  where !isNameNeeded {}
      try Self.write(contents, to: written.descriptor, path)
      try Self.syncName(&written)
      written.contents = contents
    }
  }

  private static func syncName(_ written: inout Written) throws(StorageError) {
    guard let folder = written.unsyncedFolder else { return }
    try folder.sync()
    written.unsyncedFolder = nil
  }

  /// Returns the content of the file at a path; nil if there is no file, or if it is damaged.
  ///
  /// If only the number of commits is damaged, it is returned as 0.
  ///
  /// - Throws: ``StorageError/failed(_:)`` if the file cannot be read.
  static func read(_ path: String) throws(StorageError) -> Contents? {
    guard try DataFolder.isThere(path) else { return nil }
    try DataFolder.checkIsFile(path)
    var words: [UInt32] = Array(repeating: 0, count: 2 * (headWords + 3))
    let file = try WordFile(path)
    guard try file.read(&words, at: 0) else { return nil }
    let numbers = Self.numbers(words)
    let head = Checksum([numbers[1], numbers[2], numbers[3], numbers[4]])
    guard numbers[0] == magic, numbers[5] == head.value else { return nil }
    var contents = Contents(
      token: numbers[1],
      block: UInt64(truncatingIfNeeded: numbers[2]),
      generation: numbers[3],
      lossGeneration: numbers[4] < 0 ? nil : numbers[4],
      commits: numbers[6],
      nonce: numbers[8]
    )
    if numbers[7] != Checksum([contents.token, contents.commits]).value { contents.commits = 0 }
    return contents
  }

  private static func numbers(_ words: [UInt32]) -> [Int] {
    stride(from: 0, to: words.count, by: 2).map { place in
      Int(truncatingIfNeeded: UInt64(words[place + 1]) << 32 | UInt64(words[place]))
    }
  }

  /// Writes the whole content, and waits until it is on disk.
  private static func write(
    _ contents: Contents,
    to descriptor: Int32,
    _ path: String
  ) throws(StorageError) {
    let block = Int(truncatingIfNeeded: contents.block)
    let loss = contents.lossGeneration ?? -1
    let head = Checksum([contents.token, block, contents.generation, loss]).value
    let words: InlineArray<9, Int> = [
      magic, contents.token, block, contents.generation, loss, head,
      contents.commits, Checksum([contents.token, contents.commits]).value, contents.nonce,
    ]
    guard write(words, at: 0, to: descriptor), fsync(descriptor) == 0 else {
      throw DataFolder.failure("write \(path)")
    }
  }

  /// Writes words, from word number `place` on.
  ///
  /// Returns false if not all of them were written.
  private static func write<let count: Int>(
    _ words: InlineArray<count, Int>,
    at place: Int,
    to descriptor: Int32
  ) -> Bool {
    let words = InlineArray<count, Int> { words[$0].littleEndian }
    return unsafe words.span.bytes.withUnsafeBytes { buffer in
      unsafe pwrite(descriptor, buffer.baseAddress, buffer.count, place * wordBytes)
        == buffer.count
    }
  }
}
