import TreeDomain

/// A query parameter, by its name in the API.
enum QueryParameter: String, CaseIterable, Sendable {
  case offset, limit, around, before, after, fields, parent, section, revision
  case changes, sections, include, dryRun
  case since, wait, interval
  case q, by, count
  case ancestors

  private static let all = allCases
  private static let names = NameTable(all.map(\.rawValue))

  /// Creates the parameter with a name; nil if there is none.
  init?(named name: ArraySlice<UInt8>) {
    guard let place = Self.names.place(of: name) else { return nil }
    self = Self.all[place]
  }
}
