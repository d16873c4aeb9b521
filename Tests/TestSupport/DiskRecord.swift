/// What was done to the files of a folder, in the order it happened, as `CFaults` writes it down.
package struct DiskRecord {
  /// One thing that was done.
  package enum Event {
    /// Bytes, these of the record, were written to a file.
    case write(file: String, at: Int, bytes: Range<Int>)
    /// A file was given a length.
    case truncate(file: String, to: Int)
    /// What was done to a file before an event, by its index, is on disk; the folder, without a
    /// name, has the names of its files.
    case sync(file: String, of: Int)
    /// The disk did not take what was done to a file before an event; the system takes it for
    /// written all the same, and does not try again (fsync(2), EIO).
    case failure(file: String, of: Int)
    /// A file was removed.
    case remove(file: String)
    /// A file was given another name, in place of any file of that name.
    case rename(file: String, to: String)
    /// A number was noted.
    case number(Int)
    /// Something began that may not end.
    case begin
  }

  package private(set) var events: [Event] = []
  let bytes: [UInt8]

  /// Reads a record.
  ///
  /// - Precondition: it is whole.
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
