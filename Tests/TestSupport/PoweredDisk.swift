/// A disk whose power can be cut. Of data that was not synced, it then has any sectors, even within
/// one write.
///
/// The name of a file is durable once the file or its folder was synced. A new name is durable once
/// the folder was synced; until then the file has either name. After a failed sync the data is
/// durable in part, and a later sync does not change that.
package struct PoweredDisk {
  private var files: [String: CachedFile] = [:]
  /// The number of events so far.
  private var age = 0

  /// Creates a disk with durable files.
  package init(_ files: [String: [UInt8]] = [:]) {
    self.files = files.mapValues { CachedFile($0) }
  }

  /// Prepares for the events of another record. Pending changes are older than these.
  package mutating func begin() {
    age = 0
    files = files.mapValues { $0.aged() }
  }

  /// Applies the next event of a record.
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

  /// Returns the files as programs read them, with all writes.
  package func read() -> [String: [UInt8]] {
    files.filter { !$0.value.isRemoved }.mapValues(\.cached)
  }

  /// Returns the files as they may be after a power cut now.
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
