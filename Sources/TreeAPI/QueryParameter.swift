import TreeDomain

/// The query parameters there are, by their names in the contract.
enum QueryParameter: String, CaseIterable, Sendable {
  case offset, limit, around, before, after, fields, parent, section, revision
  case changes, sections, include, dryRun
  case since, wait, interval
  case q, by, count
  case ancestors

  private static let all = allCases
  private static let names = NameTable(all.map(\.rawValue))

  /// The parameter of a name; nil where there is none.
  init?(named name: ArraySlice<UInt8>) {
    guard let place = Self.names.place(of: name) else { return nil }
    self = Self.all[place]
  }
}
