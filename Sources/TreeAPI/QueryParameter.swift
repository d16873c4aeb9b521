/// The query parameters there are, by their names in the contract.
enum QueryParameter: String, CaseIterable, Sendable {
  case offset, limit, around, before, after, fields, revision, changes, include
}
