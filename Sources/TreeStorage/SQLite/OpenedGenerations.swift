internal import TreeDomain

/// The generations of an open database, and the detection of restored backups and lost changes.
///
/// The last generation of a database records the origin of its file. A copy in an empty folder, or
/// moved over the file, has another origin. A copy that was written into the file has the same
/// origin. Then the copy does not know the folder's marker, or the marker names more commits or
/// another generation. If the marker agrees, nothing was written since the backup, and there is
/// nothing to detect.
///
/// If the marker was copied back too, its content agrees, but its file does not: each start and
/// each stop replaces the file. A crash meanwhile leaves one of two files, and the database knows
/// both.
///
/// The order of writes:
///
/// 1. A new database stores its first generation before there is a marker. A crash in between
///    leaves a database without a marker but with the right origin: it is the last one.
/// 2. A later generation is written to the marker first. A crash after that leaves a marker that
///    differs from the database. The next start takes this for a restored backup, which it is.
/// 3. Then the generation is committed to the database, and both agree again. The identity of the
///    marker's file is committed before, while the token still differs.
/// 4. The marker is replaced.
///
/// After lost changes a generation begins as well; the marker names the generation in which they
/// were lost. The database is the same, so the token stays, and the marker is written last.
///
/// If there is no room for step 3, the generation is used without being stored, and the next write
/// with enough room stores it. Until then, each start begins the same generation, because its first
/// revision follows from the block in the marker. Further losses raise that block.
struct OpenedGenerations {
  let generations: Generations
  /// The number of the current generation.
  let number: Int
  let marker: GenerationMarker?
  /// The reason for which a generation began; nil if none did.
  var cause: GenerationCause?

  /// Opens the marker, and writes its content unless it is written already.
  private typealias MakeMarker =
    (GenerationMarker.Contents, _ isWritten: Bool) throws(StorageError) -> GenerationMarker

  static func markerPath(in folder: String) -> String { folder + "/" + GenerationMarker.name }

  /// Checks if a database is the last one of its folder, and begins a generation if not.
  ///
  /// - Parameters:
  ///   - connection: A connection that may write, to a database of the newest format.
  ///   - path: The path of the folder.
  ///   - folder: The locked folder at that path.
  ///   - origin: Returns the origin of a file.
  /// - Returns: The generations, and the marker to update.
  /// - Throws: ``StorageError``. The next call starts over.
  static func open(
    _ connection: inout SQLiteConnection,
    in path: String,
    _ folder: DataFolder,
    _ origin: @escaping (String) -> FileOrigin?
  ) throws(StorageError) -> OpenedGenerations {
    let found = try MarkerInPlace(markerPath(in: path), origin)
    let stored = try MarkerIdentity.all(in: &connection)
    try connection.findNewestBundle()
    let database = path + "/" + SQLiteStorage.fileName
    guard let file = origin(database) else { throw DataFolder.failure("look at \(database)") }
    let makeMarker: MakeMarker = { contents, isWritten throws(StorageError) in
      let path = markerPath(in: path)
      let marker = try GenerationMarker(path, contents, isWritten: isWritten, origin: origin)
      if found.identity == nil { try folder.sync() }
      // If there is no room, the first write of a revision in this block tries again.
      try? BlockName.add(contents.block, to: path)
      return marker
    }
    let generations = try StoredGeneration.all(in: &connection)
    let opened: OpenedGenerations
    if let last = generations.last,
      last.isLast(in: file, found, stored, commits: connection.newestBundle)
    {
      opened = try goOn(&connection, generations, last, found, makeMarker)
    } else {
      opened = try beginGeneration(&connection, generations, found, file, makeMarker)
    }
    renew(opened.marker, &connection, folder, origin)
    return opened
  }

  /// Replaces the marker by a new file, unless a generation is pending.
  ///
  /// If there is no room, the present file stays in use. Then a copy of the folder that was made
  /// after the last replacement is not recognized as a copy.
  static func renew(
    _ marker: GenerationMarker?,
    _ connection: inout SQLiteConnection,
    _ folder: DataFolder,
    _ origin: (String) -> FileOrigin?
  ) {
    guard connection.pendingGeneration == nil else { return }
    try? marker?.renew(folder, origin) { former, next throws(StorageError) in
      try MarkerIdentity.store(former, or: next, in: &connection)
    }
  }

  /// Opens the last database of its folder.
  private static func goOn(
    _ connection: inout SQLiteConnection,
    _ stored: [StoredGeneration],
    _ last: StoredGeneration,
    _ found: MarkerInPlace,
    _ makeMarker: MakeMarker
  ) throws(StorageError) -> OpenedGenerations {
    let known = found.contents
    if var known, known.isLost(in: last) {
      known.block = found.block
      return try openAfterLoss(&connection, stored, last, known, makeMarker)
    }
    let generations = Generations(stored)
    let block =
      known == nil
      ? Generations.block(of: try connection.highestRevision(in: generations)) : found.block
    let contents = GenerationMarker.Contents(
      token: last.token,
      // A crash may have come before the block of this generation was written.
      block: max(block, Generations.block(of: generations.current)),
      generation: last.number,
      commits: connection.newestBundle,
      nonce: known?.nonce ?? 0
    )
    // If there is no room for a marker, everything else works without it.
    let marker = try? makeMarker(contents, false)
    return OpenedGenerations(generations: generations, number: last.number, marker: marker)
  }

  /// Opens a database that lost changes.
  ///
  /// The next generation begins, even if it cannot be stored yet.
  private static func openAfterLoss(
    _ connection: inout SQLiteConnection,
    _ stored: [StoredGeneration],
    _ last: StoredGeneration,
    _ known: GenerationMarker.Contents,
    _ makeMarker: MakeMarker
  ) throws(StorageError) -> OpenedGenerations {
    let highest = try connection.highestRevision(in: Generations(stored))
    let block = max(known.block, Generations.block(of: highest))
    let next = StoredGeneration(
      // Above the number of a generation that was lost before it was stored.
      number: max(last.number, known.lossGeneration ?? 0) + 1,
      start: Generations.start(aboveBlock: block),
      token: last.token,
      origin: last.origin
    )
    let marker = try? makeMarker(known, true)
    return try begin(&connection, next, after: stored, marker, .lostChanges)
  }

  /// Stores the pending generation, if there is one.
  ///
  /// - Throws: ``StorageError``. The next write tries again.
  static func store(
    _ connection: inout SQLiteConnection,
    _ marker: GenerationMarker?
  ) throws(StorageError) {
    guard let next = connection.pendingGeneration else { return }
    if let identity = marker?.identity {
      try MarkerIdentity.store(identity, or: identity, in: &connection)
    }
    try next.insert(into: &connection)
    connection.pendingGeneration = nil
    // If this fails, the old marker is still correct: the loss in it was in an earlier generation.
    try? marker?.enter(generation: next.number, block: Generations.block(of: next.start))
  }

  /// Begins the first generation of a new database, or the next one of a restored backup.
  private static func beginGeneration(
    _ connection: inout SQLiteConnection,
    _ stored: [StoredGeneration],
    _ found: MarkerInPlace,
    _ origin: FileOrigin,
    _ makeMarker: MakeMarker
  ) throws(StorageError) -> OpenedGenerations {
    let number = (stored.last?.number ?? -1) + 1
    let token = Int.random(in: 1...Int.max)
    var contents = GenerationMarker.Contents(
      token: token,
      block: 0,
      generation: number,
      commits: connection.newestBundle,
      nonce: found.contents?.nonce ?? 0
    )
    if stored.isEmpty, found.isOfNewFolder {
      let first = StoredGeneration(number: 0, start: Revision(0), token: token, origin: origin)
      try first.insert(into: &connection)
      let marker = try? makeMarker(contents, false)
      return OpenedGenerations(generations: Generations(), number: 0, marker: marker)
    }
    let highest = try connection.highestRevision(in: Generations(stored))
    contents.block = max(found.block, Generations.block(of: highest))
    let start = Generations.start(aboveBlock: contents.block)
    var marker: GenerationMarker?
    do throws(StorageError) {
      marker = try makeMarker(contents, false)
    } catch {
      // Without this write, the old marker would contradict the new generation.
      if found.contents != nil { throw error }
    }
    let next = StoredGeneration(number: number, start: start, token: token, origin: origin)
    let opened = try begin(&connection, next, after: stored, marker, .restoredBackup)
    // Otherwise the next start would take the lack of a marker for another restored backup.
    if marker == nil, connection.pendingGeneration == nil {
      try? MarkerIdentity.forgetAll(in: &connection)
    }
    return opened
  }

  /// Begins a generation, and stores it if there is room.
  ///
  /// - Throws: ``StorageError``, but not for a fault of the disk.
  private static func begin(
    _ connection: inout SQLiteConnection,
    _ next: StoredGeneration,
    after stored: [StoredGeneration],
    _ marker: GenerationMarker?,
    _ cause: GenerationCause
  ) throws(StorageError) -> OpenedGenerations {
    connection.pendingGeneration = next
    do throws(StorageError) {
      try store(&connection, marker)
    } catch {
      // The first write with enough room stores it.
      guard error.isOfDisk else { throw error }
    }
    let generations = Generations(stored + [next])
    return OpenedGenerations(
      generations: generations,
      number: next.number,
      marker: marker,
      cause: cause
    )
  }
}

extension Generations {
  init(_ stored: [StoredGeneration]) {
    self.init(stored.map(\.start).filter { $0.number > 0 })
  }
}
