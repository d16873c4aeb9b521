import JSON

/// The members an object of a request may have.
struct FieldTable<Field: CaseIterable & Sendable>: Sendable {
  /// The fields, by position.
  let fields: [Field]
  /// Their names.
  let names: MemberNames

  /// Makes the table of all cases.
  init(_ name: (Field) -> String) {
    fields = Array(Field.allCases)
    names = MemberNames(fields.map(name))
  }

  init() where Field: RawRepresentable, Field.RawValue == String {
    self.init(\.rawValue)
  }
}
