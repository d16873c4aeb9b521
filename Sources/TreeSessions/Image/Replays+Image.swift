import TreeDomain
import TreeEngine

extension Replays where Answer: Replayable {
  /// The number of stored answers.
  var count: Int { order.count - first }

  /// Writes the answer at a position, from the oldest, with its key.
  func write(_ place: Int, to writer: inout ByteWriter) {
    let (token, time) = order[first + place]
    guard let entry = kept[token] else { preconditionFailure("a token without an answer") }
    writer.append(string: token.bytes[...])
    writer.append(fixed: entry.fingerprint)
    writer.append(count: entry.weight)
    writer.append(signed: time)
    switch entry.answer {
    case .success(let answer):
      writer.append(true)
      answer.write(to: &writer)
    case .failure(let refusal):
      writer.append(false)
      refusal.write(to: &writer)
    }
  }

  /// Reads an answer, and adds it as the newest.
  mutating func restore(from reader: inout ByteReader) throws(ImageError) {
    let token = Token(Array(try reader.string()))
    guard kept[token] == nil else { throw .damaged }
    let fingerprint: UInt64 = try reader.fixed()
    let weight = try reader.count(upTo: Int(UInt32.max))
    let time = try reader.signed()
    let answer: Result<Answer, ServiceError> =
      try reader.bool()
      ? .success(Answer(reading: &reader)) : .failure(ServiceError(reading: &reader))
    kept[token] = Kept(fingerprint: fingerprint, answer: answer, weight: weight)
    order.append((token, time))
    self.weight += weight
  }
}

extension TreeBatchAnswer: Replayable {
  func write(to writer: inout ByteWriter) {
    writer.append(string: tree.bytes[...])
    writer.append(previousRevision)
    writer.append(revision)
    writer.append(count: nodeCount)
    writer.append(count: applied)
  }

  init(reading reader: inout ByteReader) throws(ImageError) {
    self.init(
      tree: try reader.treeID(),
      previousRevision: try reader.revision(),
      revision: try reader.revision(),
      nodeCount: try reader.count(),
      applied: try reader.count()
    )
  }
}
