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
// 4. Only then is any revision of it given out.
//
// Whatever the first revision of the generation is, it stays when 2 is done again: the marker has
// the block of revisions from which it follows until 3 is done.
extension SQLiteStorage {
  /// The facts about the database when it is opened.
  struct Opened {
    var generations: Generations
    var marker: GenerationMarker?
    /// True if a generation began.
    var isRestored: Bool
  }

  /// Returns the generations of what is stored.
  public func generations() throws(StorageError) -> Generations {
    if let opened { return opened.generations }
    return try read { connection throws(StorageError) in
      Generations(try connection.storedGenerations())
    }
  }

  /// True if a backup was restored: a generation began when this was opened or, where it is only
  /// read, will begin at the next start.
  ///
  /// - Throws: ``StorageError`` where that cannot be read.
  public func isRestored() throws(StorageError) -> Bool {
    if let opened { return opened.isRestored }
    let marker = try GenerationMarker.read(Self.markerPath(in: path))
    let origin = DataFolder.origin(ofFile: path + "/" + Self.fileName)
    return try read { connection throws(StorageError) in
      guard connection.format >= SQLiteConnection.formatOfGenerations else { return false }
      try connection.findNewestBundle()
      let commits = connection.newestBundle
      guard let last = try connection.storedGenerations().last else { return marker != nil }
      return origin.map { !last.isLast(in: $0, marker, commits: commits) } ?? false
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
    var stored = try connection.storedGenerations()
    var generations = Generations(stored)
    if let last = stored.last, last.isLast(in: origin, known, commits: commits) {
      let block =
        if let known { known.block } else {
          Generations.block(of: try connection.highestRevision(in: generations))
        }
      let contents = GenerationMarker.Contents(
        token: last.token,
        // A crash may have come before the block of this generation was written.
        block: max(block, Generations.block(of: generations.current)),
        commits: commits
      )
      // Where there is no room for it, all else goes on without.
      let marker = try? makeMarker(contents, in: path, folder, isThere: known != nil)
      return Opened(generations: generations, marker: marker, isRestored: false)
    }
    let isRestored = !stored.isEmpty || known != nil
    var contents = GenerationMarker.Contents(token: newToken(), block: 0, commits: 0)
    var start = Revision(0)
    if isRestored {
      let highest = try connection.highestRevision(in: generations)
      contents.block = max(known?.block ?? 0, Generations.block(of: highest))
      start = Generations.start(aboveBlock: contents.block)
      if known != nil { _ = try GenerationMarker(markerPath(in: path), contents) }
    }
    let number = (stored.last?.number ?? -1) + 1
    stored.append(
      StoredGeneration(number: number, start: start, token: contents.token, origin: origin)
    )
    try connection.insert(stored[stored.count - 1])
    generations = Generations(stored)
    contents.block = max(contents.block, Generations.block(of: start))
    contents.commits = commits
    let marker = try? makeMarker(contents, in: path, folder, isThere: known != nil)
    return Opened(generations: generations, marker: marker, isRestored: isRestored)
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

  private static func newToken() -> Int { Int.random(in: 1...Int.max) }

  /// Makes sure that the marker tells of the revisions that entries may give out.
  ///
  /// - Throws: ``StorageError/failed(_:)`` where it cannot be written.
  func reserve(_ changes: [StorageChange]) throws(StorageError) {
    guard let opened, let marker = opened.marker else { return }
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
