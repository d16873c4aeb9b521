/// A disk whose power may be cut: of what was written and not synced it then has any part, of one
/// write the one sector and not the other.
///
/// The name of a file is there for sure once the file or its folder was synced; another name that
/// it is given, once its folder was synced. Until then it has either name. Where a sync
/// failed, what was to be synced is there or not, and another one changes nothing about that.
package struct PoweredDisk {
  private var files: [String: CachedFile] = [:]
  /// How many events of the record have happened.
  private var age = 0

  /// A disk with files that are surely on it.
  package init(_ files: [String: [UInt8]] = [:]) {
    self.files = files.mapValues { CachedFile($0) }
  }

  /// Makes ready for the events of another record: what is not sure was before them all.
  package mutating func begin() {
    age = 0
    files = files.mapValues { $0.aged() }
  }

  /// Has the next event of a record happen.
  package mutating func take(
    _ event: DiskRecord.Event,
    of record: DiskRecord,
    _ random: inout SeededGenerator
  ) {
    let age = age
    switch event {
    case .write(let name, let offset, let bytes):
      change(name) { $0.write(record.bytes[bytes], at: offset, index: age) }
    case .truncate(let name, let length):
      change(name) { $0.setLength(length, index: age) }
    case .sync(let name, let begin):
      if name.isEmpty { syncNames() } else { files[name]?.sync(before: begin) }
    case .failure(let name, let begin):
      let percent = random.choice([0, 50, 95])
      files[name]?.lose(before: begin) { random.number(in: 1...100) <= percent }
    case .remove(let name): files[name]?.remove()
    case .rename(let name, let other):
      if let file = files.removeValue(forKey: name) {
        files[other] = file.renamed(from: name, over: files[other])
      }
    case .number, .begin: break
    }
    self.age += 1
  }

  private mutating func change(_ name: String, _ body: (inout CachedFile) -> Void) {
    if files[name]?.isRemoved != false { files[name] = CachedFile(behind: files[name]) }
    if var file = files.removeValue(forKey: name) {
      body(&file)
      files[name] = file
    }
  }

  private mutating func syncNames() {
    files = files.filter { !$0.value.isRemoved }.mapValues { $0.named() }
  }

  /// The files as whoever reads them now finds them: what is written is there at once.
  package func read() -> [String: [UInt8]] {
    files.filter { !$0.value.isRemoved }.mapValues(\.cached)
  }

  /// The files as they may be when the power is cut now.
  package func cut(_ random: inout SeededGenerator) -> [String: [UInt8]] {
    var left: [String: [UInt8]] = [:]
    for (name, file) in files.sorted(by: { $0.key < $1.key }) {
      let percent = random.choice([0, 50, 95, 100])
      let bytes = file.cut { random.number(in: 1...100) <= percent }
      if file.isNameSure || random.oneIn(2) {
        left[name] = bytes
      } else {
        left[name] = file.former
        if let other = file.otherName, left[other] == nil, files[other] == nil {
          left[other] = bytes
        }
      }
    }
    return left
  }
}
