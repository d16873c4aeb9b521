extension ModelRow {
  /// Compares a row of an answer with this one.
  ///
  /// - Parameters:
  ///   - json: The row of the answer.
  ///   - fields: The exact fields of the row; nil for all.
  /// - Returns: The difference; nil if there is none.
  package func difference(from json: RawJSON, fields: [String]? = nil) -> String? {
    let names = json.memberNames
    let fields = (fields ?? fieldNames).filter(fieldNames.contains)
    guard Set(names) == Set(fields), names.count == fields.count else {
      return "\(key) has the fields \(names.sorted()), not \(fields.sorted())"
    }
    for field in fields {
      guard let expected = self.json(field), let value = json[field] else { continue }
      let agrees = field == "object" ? agrees(value) : value.compactBytes == expected
      guard !agrees else { continue }
      let text = String(decoding: expected, as: UTF8.self)
      return "\(key) has \(field) \(value.text), not \(text)"
    }
    return nil
  }

  /// Returns true if an object equals this row's: the same bytes, or after a merge the same compact
  /// text.
  package func agrees(_ value: RawJSON) -> Bool {
    isMerged ? value.compactBytes == object.compactBytes : value.bytes == object.bytes
  }
}
