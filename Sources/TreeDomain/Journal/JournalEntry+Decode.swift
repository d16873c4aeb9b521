import JSON
import TreeEngine

extension JournalEntry {
  /// Reads an encoded entry.
  ///
  /// - Throws: ``StorageError/damaged(_:)`` if the entry cannot be read.
  /// - Complexity: O(length).
  package static func decode(_ bytes: [UInt8]) throws(StorageError) -> JournalEntry {
    let end = LineScan.end(of: bytes.span, from: 0) ?? bytes.count
    do throws(ServiceError) {
      var cursor = BodyCursor(Array(bytes[..<end]), .none)
      var header = try JournalHeader.read(from: &cursor)
      try cursor.finish()
      let body = Array(bytes[min(end + 1, bytes.count)...])
      header.entry.event = try header.event(body)
      return header.entry
    } catch {
      throw .damaged("an entry of the journal cannot be read: \(error.detail)")
    }
  }
}

/// The first line of an entry.
private struct JournalHeader {
  var entry = JournalEntry(.closeSession, at: 0)
  var name = JournalEventName.closeSession
  var single: SingleOperation?
  var named: [UInt8]?
  var token: [UInt8]?
  var fingerprint: UInt64 = 0

  /// Decodes the event, given the body of the request.
  func event(_ body: [UInt8]) throws(ServiceError) -> JournalEntry.Event {
    switch name {
    case .makeTree: .makeTree(try NewTree.decode(body: body, limits: .none))
    case .openSession: .openSession(try NewSession.decode(body: body, limits: .none))
    case .closeSession: .closeSession
    case .batch: .batch(try batch(body))
    case .patch: .patch(try SessionPatch.decode(body: body, limits: .none))
    case .importNodes: .importNodes(try nodes(body))
    }
  }

  private func batch(_ body: [UInt8]) throws(ServiceError) -> Batch {
    guard let single else { return try Batch.decode(body: body, limits: .none) }
    let isSection = single == .setRoots
    return try Batch.decode(
      single,
      key: isSection ? nil : named,
      section: isSection ? named : nil,
      body: body,
      limits: .none
    )
  }

  private func nodes(_ lines: [UInt8]) throws(ServiceError) -> Import {
    var decoder = ImportDecoder(limits: .none)
    try decoder.feed(lines)
    return try decoder.finish()
  }

  /// Reads the members of the line.
  static func read(from cursor: inout BodyCursor) throws(ServiceError) -> JournalHeader {
    var header = JournalHeader()
    var seen = SeenMembers()
    try cursor.beginObject()
    while let field = try cursor.nextField(of: JournalField.table, &seen) {
      try header.read(field, from: &cursor)
    }
    if let token = header.token {
      header.entry.options.idempotency = IdempotencyKey(
        token: token,
        fingerprint: header.fingerprint
      )
    }
    return header
  }

  private mutating func read(
    _ field: JournalField,
    from cursor: inout BodyCursor
  ) throws(ServiceError) {
    switch field {
    case .event: name = try Self.word(&cursor, JournalEventName.table)
    case .single: single = try Self.word(&cursor, SingleOperation.table)
    case .changes: entry.options.format = try Self.word(&cursor, ChangeFormat.table)
    case .sections: entry.options.isSectioned = try cursor.readBool()
    case .time: entry.time = try cursor.readInt(atLeast: 0)
    case .rows: entry.options.includedRows = try cursor.readInt(atLeast: 0)
    case .fields:
      let bits = UInt16(truncatingIfNeeded: try cursor.readInt(atLeast: 0))
      entry.options.fields = RowFields(rawValue: bits)
    case .fingerprint: fingerprint = try Self.natural(&cursor)
    case .named: named = try Self.text(&cursor)
    case .key: token = try Self.text(&cursor)
    case .session:
      guard let id = SessionID(try Self.text(&cursor)[...]) else {
        throw cursor.invalid("This is no session.")
      }
      entry.session = id
    }
  }

  private static func text(_ cursor: inout BodyCursor) throws(ServiceError) -> [UInt8] {
    // The string is read first, because a string with escapes adds to the cursor's bytes.
    let string = try cursor.readString()
    return Array(cursor.bytes(of: string))
  }

  private static func word<Word>(
    _ cursor: inout BodyCursor,
    _ table: FieldTable<Word>
  ) throws(ServiceError) -> Word {
    guard let word = try cursor.readWord(of: table) else {
      throw cursor.invalid("This word is not known.")
    }
    return word
  }

  /// Reads an unsigned integer of 64 bits.
  private static func natural(_ cursor: inout BodyCursor) throws(ServiceError) -> UInt64 {
    let digits = try cursor.skipValue()
    var value: UInt64 = 0
    for digit in cursor.reader.bytes[digits] {
      let (shifted, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (sum, isOver) = shifted.addingReportingOverflow(UInt64(digit &- UInt8(ascii: "0")))
      guard !isTooLarge, !isOver, UInt8(ascii: "0")...UInt8(ascii: "9") ~= digit else {
        throw cursor.invalid("This must be a natural number of 64 bits.")
      }
      value = sum
    }
    return value
  }
}

extension SingleOperation {
  fileprivate static let table = FieldTable<SingleOperation>()
}

extension ChangeFormat {
  fileprivate static let table = FieldTable<ChangeFormat>()
}
