/// A disk whose power may be cut: of what was written and not synced it then has any part, of one
/// write the one sector and not the other.
///
/// The name of a file is there for sure once the file or its folder was synced.
package struct PoweredDisk {
  /// What a disk writes wholly or not at all.
  private static let sectorBytes = 512

  private enum Change {
    case write(at: Int, ArraySlice<UInt8>)
    case truncate(to: Int)
  }

  private struct File {
    var bytes: [UInt8] = []
    /// What is not sure yet, with the index of the event that it is.
    var changes: [(index: Int, change: Change)] = []
    var isNamed = false
    var isRemoved = false
    /// What has its name as long as it has not, or as its removal is not sure.
    var former: [UInt8]?
  }

  private var files: [String: File] = [:]
  /// How many events of the record have happened.
  private var age = 0

  /// A disk with files that are surely on it.
  package init(_ files: [String: [UInt8]] = [:]) {
    for (name, bytes) in files { self.files[name] = File(bytes: bytes, isNamed: true) }
  }

  /// Makes ready for the events of another record: what is not sure was before them all.
  package mutating func begin() {
    age = 0
    files = files.mapValues { file in
      var file = file
      file.changes = file.changes.map { (-1, $0.change) }
      return file
    }
  }

  /// Has the next event of a record happen.
  package mutating func take(_ event: DiskRecord.Event, of record: DiskRecord) {
    switch event {
    case .write(let file, let offset, let bytes):
      add(.write(at: offset, record.bytes[bytes]), to: file)
    case .truncate(let file, let length): add(.truncate(to: length), to: file)
    case .sync(let file, let begin): sync(file, before: begin)
    case .remove(let file):
      files[file]?.isRemoved = true
      files[file]?.isNamed = false
    case .number, .begin: break
    }
    age += 1
  }

  private mutating func add(_ change: Change, to name: String) {
    if let old = files[name], old.isRemoved { files[name] = File(former: old.bytes) }
    files[name, default: File()].changes.append((age, change))
  }

  private mutating func sync(_ name: String, before index: Int) {
    guard !name.isEmpty else { return syncNames() }
    guard var file = files.removeValue(forKey: name) else { return }
    let count = file.changes.prefix { $0.index < index }.count
    for (_, change) in file.changes[..<count] { make(change, of: &file.bytes) { true } }
    file.changes.removeFirst(count)
    if !file.isRemoved { file.isNamed = true }
    files[name] = file
  }

  private mutating func syncNames() {
    files = files.filter { !$0.value.isRemoved }
    for name in files.keys { files[name]?.isNamed = true }
  }

  /// Makes a change, of which only the chosen sectors.
  private func make(_ change: Change, of bytes: inout [UInt8], where isChosen: () -> Bool) {
    switch change {
    case .truncate(let length):
      guard isChosen() else { return }
      if length < bytes.count {
        bytes.removeLast(bytes.count - length)
      } else {
        bytes += [UInt8](repeating: 0, count: length - bytes.count)
      }
    case .write(var offset, var source):
      while !source.isEmpty {
        let count = min(source.count, Self.sectorBytes - offset % Self.sectorBytes)
        if isChosen() { put(source.prefix(count), at: offset, in: &bytes) }
        source = source.dropFirst(count)
        offset += count
      }
    }
  }

  private func put(_ part: ArraySlice<UInt8>, at offset: Int, in bytes: inout [UInt8]) {
    let end = offset + part.count
    if end > bytes.count { bytes += [UInt8](repeating: 0, count: end - bytes.count) }
    bytes.replaceSubrange(offset..<end, with: part)
  }

  /// The files as whoever reads them now finds them: what is written is there at once.
  package func read() -> [String: [UInt8]] {
    let there = files.filter { !$0.value.isRemoved }
    return there.mapValues { file in bytes(of: file) { true } }
  }

  /// The files as they may be when the power is cut now.
  package func cut(_ random: inout SeededGenerator) -> [String: [UInt8]] {
    var left: [String: [UInt8]] = [:]
    for (name, file) in files.sorted(by: { $0.key < $1.key }) {
      let percent = random.choice([0, 50, 95, 100])
      let bytes = bytes(of: file) { random.number(in: 1...100) <= percent }
      let isSure = file.isNamed && !file.isRemoved
      left[name] = isSure || random.oneIn(2) ? bytes : file.former
    }
    return left
  }

  private func bytes(of file: File, where isChosen: () -> Bool) -> [UInt8] {
    var bytes = file.bytes
    for (_, change) in file.changes { make(change, of: &bytes, where: isChosen) }
    return bytes
  }
}
