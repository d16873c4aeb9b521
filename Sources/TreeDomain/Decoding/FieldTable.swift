import JSON

/// The members that an object of a request may have.
struct FieldTable<Field: CaseIterable & Sendable>: Sendable {
  /// The fields, by position.
  let fields: [Field]
  /// The names of the fields, prepared for fast lookup.
  let names: MemberNames
  /// The names of the fields, by position.
  let texts: [String]

  /// Makes the table of all cases.
  init(_ name: (Field) -> String) {
    fields = Array(Field.allCases)
    texts = fields.map(name)
    names = MemberNames(texts)
  }

  init() where Field: RawRepresentable, Field.RawValue == String {
    self.init(\.rawValue)
  }
}
