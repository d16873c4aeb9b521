import TreeDomain
import TreeEngine

extension RevisionLog {
  func write(to writer: inout ByteWriter) {
    writer.append(number: dataBefore)
    writer.append(optional: start) { $0.append(count: $1) }
    writer.append(number: ownCount)
    writer.append(number: authoredCount)
    writer.append(count: own.count)
    for (revision, commit) in own {
      writer.append(revision)
      writer.append(count: commit)
    }
    writer.append(count: authored.count)
    for ordinal in authored { writer.append(number: ordinal) }
  }

  /// - Parameters:
  ///   - reader: The bytes that ``write(to:)`` has written.
  ///   - data: The data commits of the tree at that time.
  /// - Throws: `damaged`.
  init(from reader: inout ByteReader, _ data: DataCommits) throws(ImageError) {
    self.init(
      data: data,
      dataBefore: try reader.number(),
      start: try reader.optional { reader throws(ImageError) in try reader.count() },
      ownCount: try reader.number(),
      authoredCount: try reader.number()
    )
    let count = try reader.count(upTo: reader.remaining)
    guard dataBefore <= data.count, ownCount <= UInt64(Int.max), count <= ownCount else {
      throw .damaged
    }
    // The number of data commits before each own commit, which cannot decrease.
    var dataCount: UInt64 = 0
    for place in 0..<count {
      let revision = try reader.revision()
      let ownNumber = ownCount - UInt64(count - place - 1)
      guard revision.number >= ownNumber, revision.number - ownNumber >= dataCount,
        revision.number - ownNumber <= data.count - dataBefore
      else { throw .damaged }
      dataCount = revision.number - ownNumber
      own.append((revision, try reader.count()))
    }
    guard authoredCount <= data.count - dataBefore else { throw .damaged }
    for _ in 0..<(try reader.count(upTo: min(Int(authoredCount), reader.remaining))) {
      let ordinal = try reader.number()
      guard ordinal > authored.last ?? dataBefore, ordinal <= data.count else { throw .damaged }
      authored.append(ordinal)
    }
  }

  /// The number of the newest commit in the log.
  var newestCommit: Int { own.reduce(start ?? 0) { max($0, $1.commit) } }
}
