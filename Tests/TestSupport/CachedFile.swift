/// A file of a ``PoweredDisk``: the bytes on the disk, and the changes that are not written yet.
struct CachedFile {
  /// The unit that a disk writes as a whole or not at all.
  private static let sectorBytes = 512
  /// The unit that the operating system writes.
  private static let pageBytes = 4_096

  private enum Change {
    case write(at: Int, ArraySlice<UInt8>)
    case truncate(to: Int)
  }

  /// The content that programs read.
  private(set) var cached: [UInt8]
  /// The bytes that are durable.
  private var sure: [UInt8]
  /// The changes that are not durable yet, with the indexes of their events.
  private var changes: [(index: Int, change: Change)] = []
  /// Pages that the disk may lack and that the system no longer tries to write.
  private var lostPages: Set<Int> = []
  private var isNamed: Bool
  private(set) var isRemoved = false
  /// The content behind the file's name until the name is durable.
  private(set) var former: [UInt8]?
  /// The old name, which the file has until the new one is durable.
  private(set) var otherName: String?

  /// Creates a file that is durable.
  init(_ bytes: [UInt8]) {
    (cached, sure, isNamed, former) = (bytes, bytes, true, nil)
  }

  /// Creates an empty file in the place of a removed one.
  init(behind file: CachedFile?) {
    (cached, sure, isNamed, former) = ([], [], false, file?.sure)
  }

  var isNameSure: Bool { isNamed && !isRemoved }

  mutating func remove() { isRemoved = true }

  func named() -> CachedFile {
    var file = self
    file.isNamed = true
    file.otherName = nil
    return file
  }

  /// Returns the file under another name, which may replace another file.
  func renamed(from name: String, over file: CachedFile?) -> CachedFile {
    var renamed = self
    renamed.former = file.flatMap { $0.isNameSure ? $0.sure : $0.former }
    renamed.otherName = isNameSure ? name : nil
    renamed.isNamed = false
    return renamed
  }

  /// Returns the file with its pending changes marked as older than all events.
  func aged() -> CachedFile {
    var file = self
    file.changes = changes.map { (-1, $0.change) }
    return file
  }

  /// Writes bytes. A write also restores the lost parts of its pages.
  mutating func write(_ bytes: ArraySlice<UInt8>, at offset: Int, index: Int) {
    Self.put(bytes, at: offset, in: &cached)
    let pages = offset / Self.pageBytes..<(offset + bytes.count - 1) / Self.pageBytes + 1
    guard pages.contains(where: lostPages.contains) else {
      return changes.append((index, .write(at: offset, bytes)))
    }
    lostPages.subtract(pages)
    let start = pages.lowerBound * Self.pageBytes
    let end = min(pages.upperBound * Self.pageBytes, cached.count)
    changes.append((index, .write(at: start, cached[start..<end])))
  }

  mutating func setLength(_ length: Int, index: Int) {
    Self.setLength(length, of: &cached)
    changes.append((index, .truncate(to: length)))
  }

  /// Makes the changes before an event durable.
  mutating func sync(before index: Int) {
    let count = changes.prefix { $0.index < index }.count
    for (_, change) in changes[..<count] { Self.make(change, of: &sure) { true } }
    changes.removeFirst(count)
    if otherName == nil { isNamed = true }
  }

  /// Simulates a failed sync: of the changes before an event, only some sectors become durable.
  mutating func lose(before index: Int, but isKept: () -> Bool) {
    let count = changes.prefix { $0.index < index }.count
    for (_, change) in changes[..<count] {
      guard case .write(let offset, let bytes) = change else {
        Self.make(change, of: &sure) { true }
        continue
      }
      Self.make(change, of: &sure, where: isKept)
      let end = offset + bytes.count - 1
      lostPages.formUnion(offset / Self.pageBytes...end / Self.pageBytes)
    }
    changes.removeFirst(count)
  }

  /// Returns the durable bytes after a power cut, with the chosen sectors of pending changes.
  func cut(where isChosen: () -> Bool) -> [UInt8] {
    var bytes = sure
    for (_, change) in changes { Self.make(change, of: &bytes, where: isChosen) }
    return bytes
  }

  private static func make(_ change: Change, of bytes: inout [UInt8], where isChosen: () -> Bool) {
    switch change {
    case .truncate(let length): if isChosen() { setLength(length, of: &bytes) }
    case .write(var offset, var source):
      while !source.isEmpty {
        let count = min(source.count, sectorBytes - offset % sectorBytes)
        if isChosen() { put(source.prefix(count), at: offset, in: &bytes) }
        source = source.dropFirst(count)
        offset += count
      }
    }
  }

  private static func setLength(_ length: Int, of bytes: inout [UInt8]) {
    if length < bytes.count {
      bytes.removeLast(bytes.count - length)
    } else {
      bytes += [UInt8](repeating: 0, count: length - bytes.count)
    }
  }

  private static func put(_ part: ArraySlice<UInt8>, at offset: Int, in bytes: inout [UInt8]) {
    let end = offset + part.count
    if end > bytes.count { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(offset..<end, with: part)
  }
}
