import JSON

extension JSONWriter {
  /// Writes a string of an arena, or `null` when there is none.
  mutating func string(orNull slice: ByteSlice?, from arena: [UInt8]) {
    if let slice {
      string(arena[slice.range])
    } else {
      null()
    }
  }

  /// Writes the two members that begin every answer that was read from a session.
  mutating func origin(_ session: SessionID, _ revision: Revision) {
    name("session")
    string(session.bytes[...])
    name("revision")
    integer(revision.number)
  }
}
