/// The query parameters there are, by their names in the contract.
enum QueryParameter: String, CaseIterable, Sendable {
  case offset, limit, around, before, after, fields, section, revision
  case changes, include, dryRun
  case since, wait
  case q, by
}
