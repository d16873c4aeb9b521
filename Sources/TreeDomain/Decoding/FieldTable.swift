import JSON

/// The members an object of a request may have.
struct FieldTable<Field: CaseIterable & Sendable>: Sendable {
  /// The fields, by position.
  let fields: [Field]
  /// Their names, made for quick recognition.
  let names: MemberNames
  /// Their names, by position.
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
