/// The changes of the files of a folder in their order, as `CFaults` records them.
package struct DiskRecord {
  /// A recorded event.
  package enum Event {
    /// Bytes were written to a file; `bytes` is their range in the record.
    case write(file: String, at: Int, bytes: Range<Int>)
    /// A file was truncated or extended to a length.
    case truncate(file: String, to: Int)
    /// The changes of a file before the event with this index were synced. The folder, whose name
    /// is empty, has the names of its files.
    case sync(file: String, of: Int)
    /// The sync of the changes of a file before the event with this index failed. The system marks
    /// them as written all the same, and does not retry (fsync(2), EIO).
    case failure(file: String, of: Int)
    /// A file was removed.
    case remove(file: String)
    /// A file was renamed, and replaced any file of the new name.
    case rename(file: String, to: String)
    /// A number was recorded.
    case number(Int)
    /// An operation began that may not end.
    case begin
  }

  package private(set) var events: [Event] = []
  let bytes: [UInt8]

  /// Parses a record.
  ///
  /// - Precondition: The record is complete.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
    var place = 0
    while place < bytes.count { events.append(event(at: &place)) }
  }

  private func event(at place: inout Int) -> Event {
    let (kind, nameLength) = (number(4, at: &place), number(4, at: &place))
    let (offset, length) = (number(8, at: &place), number(8, at: &place))
    let file = String(decoding: bytes[place..<place + nameLength], as: UTF8.self)
    place += nameLength
    switch kind {
    case 1:
      defer { place += length }
      return .write(file: file, at: offset, bytes: place..<place + length)
    case 2: return .truncate(file: file, to: length)
    case 3: return .begin
    case 4: return .sync(file: file, of: offset)
    case 5: return .remove(file: file)
    case 6: return .number(offset)
    case 8:
      defer { place += length }
      return .rename(file: file, to: String(decoding: bytes[place..<place + length], as: UTF8.self))
    case 7: return .failure(file: file, of: offset)
    default: preconditionFailure("an event of kind \(kind)")
    }
  }

  private func number(_ count: Int, at place: inout Int) -> Int {
    defer { place += count }
    return bytes[place..<place + count].reversed().reduce(0) { $0 << 8 | Int($1) }
  }
}
