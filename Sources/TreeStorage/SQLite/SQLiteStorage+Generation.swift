internal import Synchronization
public import TreeDomain

// Whether the database is the one that its folder had last.
//
// A database tells in its last generation which file it is in. A copy in an empty folder, or moved
// over the file, is in another one. A copy that was written into the file has the same one, but
// the folder's marker knows more commits than it has, or another generation. Where it knows as many
// and the same, nothing was written since the backup was made, and there is nothing to be noticed.
//
// The order of writes:
//
// 1. A new database tells of its first generation before there is a marker. A crash between the two
//    leaves a database without a marker, in its own file: it is the last one.
// 2. A new generation is written to the marker first, which then names another one than the
//    database: a crash leaves what is taken for a restored backup at the next start, which it is.
// 3. Then it is committed to the database. From there on both name the same one.
//
// A generation begins also after changes were lost that readers were shown: the marker tells in
// which generation that was. It is the same database, so that the token stays, and the marker is
// written last.
//
// Where there is no room for 3, it is done with the first write that has room, and the generation
// is shown all the same. Until then each start begins the same one: the marker has the block of
// revisions from which its first revision follows. Changes lost meanwhile raise that block.
extension SQLiteStorage {
  /// The facts about the database when it is opened.
  struct Opened {
    var generations: Generations
    /// The number of the current generation.
    var number: Int
    var marker: GenerationMarker?
    /// Why a generation began; nil if none did.
    var cause: GenerationCause?
  }

  /// Returns the generations of what is stored.
  public func generations() throws(StorageError) -> Generations {
    if let opened { return opened.generations }
    return try read { connection throws(StorageError) in
      Generations(try connection.storedGenerations())
    }
  }

  /// Returns why a generation began when this was opened or, where it is only read, will begin at
  /// the next start; nil if none does.
  ///
  /// - Throws: ``StorageError`` where that cannot be read.
  public func generationCause() throws(StorageError) -> GenerationCause? {
    if let opened { return opened.cause }
    let marker = try GenerationMarker.read(Self.markerPath(in: path))
    let origin = DataFolder.origin(ofFile: path + "/" + Self.fileName)
    return try read { connection throws(StorageError) in
      guard connection.format >= SQLiteConnection.formatOfGenerations else { return nil }
      try connection.findNewestBundle()
      let commits = connection.newestBundle
      guard let last = try connection.storedGenerations().last else {
        return marker == nil ? nil : .restoredBackup
      }
      if let origin, !last.isLast(in: origin, marker, commits: commits) { return .restoredBackup }
      return marker?.isLost(in: last) == true ? .lostChanges : nil
    }
  }

  static func markerPath(in folder: String) -> String { folder + "/" + GenerationMarker.name }

  /// Finds out whether a database is the one that its folder had last, and begins a generation if
  /// it is not.
  ///
  /// - Parameters:
  ///   - connection: One that may write, to a database of the newest format.
  ///   - path: The folder, which is locked.
  ///   - folder: The same.
  ///   - origin: That of the database's file.
  /// - Returns: The generations, and the marker that is to be kept up to date.
  /// - Throws: ``StorageError``; the next call begins anew then.
  static func open(
    _ connection: inout SQLiteConnection,
    in path: String,
    _ folder: DataFolder,
    _ origin: FileOrigin
  ) throws(StorageError) -> Opened {
    let known = try GenerationMarker.read(markerPath(in: path))
    try connection.findNewestBundle()
    let commits = connection.newestBundle
    let stored = try connection.storedGenerations()
    if let last = stored.last, last.isLast(in: origin, known, commits: commits) {
      if let known, known.isLost(in: last) {
        return try openAfterLoss(&connection, stored, last, known, in: path)
      }
      let generations = Generations(stored)
      let block =
        if let known { known.block } else {
          Generations.block(of: try connection.highestRevision(in: generations))
        }
      let contents = GenerationMarker.Contents(
        token: last.token,
        // A crash may have come before the block of this generation was written.
        block: max(block, Generations.block(of: generations.current)),
        generation: last.number,
        commits: commits
      )
      // Where there is no room for it, all else goes on without.
      let marker = try? makeMarker(contents, in: path, folder, isThere: known != nil)
      return Opened(generations: generations, number: last.number, marker: marker)
    }
    return try beginGeneration(&connection, stored, known, in: path, folder, origin)
  }

  /// Opens a database after changes were lost: the next generation begins, stored or not.
  private static func openAfterLoss(
    _ connection: inout SQLiteConnection,
    _ stored: [StoredGeneration],
    _ last: StoredGeneration,
    _ known: GenerationMarker.Contents,
    in path: String
  ) throws(StorageError) -> Opened {
    let highest = try connection.highestRevision(in: Generations(stored))
    let block = max(known.block, Generations.block(of: highest))
    let next = StoredGeneration(
      // Above that of one that was lost before it was stored.
      number: max(last.number, known.lossGeneration ?? 0) + 1,
      start: Generations.start(aboveBlock: block),
      token: last.token,
      origin: last.origin
    )
    let marker = try? GenerationMarker(markerPath(in: path), known, isWritten: true)
    return try begin(&connection, next, after: stored, marker, .lostChanges)
  }

  /// Stores a generation that is shown already, if there is one.
  ///
  /// - Throws: ``StorageError``; it is tried again with the next write then.
  private static func store(
    _ connection: inout SQLiteConnection,
    _ marker: GenerationMarker?
  ) throws(StorageError) {
    guard let next = connection.pendingGeneration else { return }
    try connection.insert(next)
    connection.pendingGeneration = nil
    // A marker of before is read right, too: the loss that it tells of was in an earlier one.
    try? marker?.enter(generation: next.number, block: Generations.block(of: next.start))
  }

  /// Begins the first generation of a new database, or the next one of a restored backup.
  private static func beginGeneration(
    _ connection: inout SQLiteConnection,
    _ stored: [StoredGeneration],
    _ known: GenerationMarker.Contents?,
    in path: String,
    _ folder: DataFolder,
    _ origin: FileOrigin
  ) throws(StorageError) -> Opened {
    let number = (stored.last?.number ?? -1) + 1
    let token = Int.random(in: 1...Int.max)
    var contents = GenerationMarker.Contents(
      token: token,
      block: 0,
      generation: number,
      commits: connection.newestBundle
    )
    if stored.isEmpty, known == nil {
      let first = StoredGeneration(number: 0, start: Revision(0), token: token, origin: origin)
      try connection.insert(first)
      let marker = try? makeMarker(contents, in: path, folder, isThere: false)
      return Opened(generations: Generations(), number: 0, marker: marker)
    }
    let highest = try connection.highestRevision(in: Generations(stored))
    contents.block = max(known?.block ?? 0, Generations.block(of: highest))
    let start = Generations.start(aboveBlock: contents.block)
    var marker: GenerationMarker?
    do throws(StorageError) {
      marker = try makeMarker(contents, in: path, folder, isThere: known != nil)
    } catch {
      // It would tell of the generation before.
      if known != nil { throw error }
    }
    let next = StoredGeneration(number: number, start: start, token: token, origin: origin)
    return try begin(&connection, next, after: stored, marker, .restoredBackup)
  }

  /// Begins a generation, and stores it if there is room.
  private static func begin(
    _ connection: inout SQLiteConnection,
    _ next: StoredGeneration,
    after stored: [StoredGeneration],
    _ marker: GenerationMarker?,
    _ cause: GenerationCause
  ) throws(StorageError) -> Opened {
    connection.pendingGeneration = next
    do throws(StorageError) {
      try store(&connection, marker)
    } catch {
      // Where there is no room, it is stored with the first write for which there is some.
      guard error.isOfDisk else { throw error }
    }
    let generations = Generations(stored + [next])
    return Opened(generations: generations, number: next.number, marker: marker, cause: cause)
  }

  private static func makeMarker(
    _ contents: GenerationMarker.Contents,
    in path: String,
    _ folder: DataFolder,
    isThere: Bool
  ) throws(StorageError) -> GenerationMarker {
    let marker = try GenerationMarker(markerPath(in: path), contents)
    if !isThere { try folder.sync() }
    return marker
  }

  /// Notes that changes were lost whose revisions may have been shown.
  public func noteLoss(entry number: Int, revision: Int) {
    guard let opened else { return }
    let highest = opened.generations.bound(entry: number, revision: revision)
    try? opened.marker?.noteLoss(in: opened.number, block: Generations.block(of: highest))
  }

  /// Makes sure that the current generation is stored, and that the marker tells of the revisions
  /// that entries may give out.
  ///
  /// - Throws: ``StorageError`` where that cannot be written.
  func reserve(_ changes: [StorageChange]) throws(StorageError) {
    guard let opened else { return }
    if opened.cause != nil {
      try writer.withLock { connection throws(StorageError) in
        try Self.store(&connection, opened.marker)
      }
    }
    guard let marker = opened.marker else { return }
    var highest = opened.generations.current
    for case .append(let entry, _) in changes {
      let bound = opened.generations.bound(entry: entry.number, revision: entry.revision)
      highest = max(highest, bound)
    }
    try marker.reserve(block: Generations.block(of: highest))
  }
}

extension Generations {
  init(_ stored: [StoredGeneration]) {
    self.init(stored.map(\.start).filter { $0.number > 0 })
  }
}
