import JSON

/// The members an object of a request may have.
struct FieldTable<Field: CaseIterable & RawRepresentable & Sendable>: Sendable
where Field.RawValue == String {
  /// The fields, by position.
  let fields: [Field]
  /// Their names.
  let names: MemberNames

  init() {
    fields = Array(Field.allCases)
    names = MemberNames(fields.map(\.rawValue))
  }
}
