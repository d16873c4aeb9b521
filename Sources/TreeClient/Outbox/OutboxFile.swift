import Foundation

/// The file of an outbox, with a line for each batch that was added and for each that is done.
///
/// A line is on disk when the call that writes it returns. A crash may leave a part of the last
/// line. Its batch was not acknowledged, and the part is overwritten.
struct OutboxFile: Sendable {
  /// The contents of the file.
  fileprivate struct Contents {
    var entries: [Outbox.Entry] = []
    /// The end of the last whole line.
    var end: UInt64 = 0
  }

  private let url: URL
  private var known: Contents?

  init(_ url: URL) { self.url = url }

  /// A line.
  fileprivate enum Line: Codable {
    case added(Outbox.Entry)
    case done(String)
  }

  /// Returns the batches that are not done, in order.
  mutating func entries() throws -> [Outbox.Entry] { try contents().entries }

  /// Adds a batch.
  mutating func append(_ entry: Outbox.Entry) throws { try add(.added(entry)) }

  /// Records that a batch is done.
  ///
  /// If no batch is left, the file is emptied.
  mutating func remove(_ key: String) throws {
    guard try contents().entries.allSatisfy({ $0.key == key }) else { return try add(.done(key)) }
    try write(Data(), at: 0)
    known = Contents()
  }

  private mutating func contents() throws -> Contents {
    if let known { return known }
    var found = Contents()
    if FileManager.default.fileExists(atPath: url.path) {
      let data = try Data(contentsOf: url)
      let end = data.lastIndex(of: UInt8(ascii: "\n")).map { $0 + 1 } ?? 0
      for line in data[..<end].split(separator: UInt8(ascii: "\n")) {
        found.apply(try JSONDecoder().decode(Line.self, from: Data(line)))
      }
      found.end = UInt64(end)
    }
    known = found
    return found
  }

  private mutating func add(_ line: Line) throws {
    var contents = try contents()
    let data = try JSONCoding.encode(line)
    try write(data + [UInt8(ascii: "\n")], at: contents.end)
    contents.end += UInt64(data.count) + 1
    // Decoded again, so that the body is the one that a later process would send with this key.
    contents.apply(try JSONDecoder().decode(Line.self, from: data))
    known = contents
  }

  /// Replaces the content of the file from an offset on, and waits until it is on disk.
  private func write(_ data: Data, at end: UInt64) throws {
    if !FileManager.default.fileExists(atPath: url.path) { try Data().write(to: url) }
    let handle = try FileHandle(forWritingTo: url)
    defer { try? handle.close() }
    try handle.truncate(atOffset: end)
    try handle.seek(toOffset: end)
    try handle.write(contentsOf: data)
    try handle.synchronize()
  }
}

extension OutboxFile.Contents {
  fileprivate mutating func apply(_ line: OutboxFile.Line) {
    switch line {
    case .added(let entry): entries.append(entry)
    case .done(let key): entries.removeAll { $0.key == key }
    }
  }
}
