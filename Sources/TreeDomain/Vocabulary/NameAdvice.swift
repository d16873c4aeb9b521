import JSON

/// The advice about unknown names in requests.
package enum NameAdvice {
  /// The largest number of characters of a client's text in a message.
  private static let maxShown = 40

  /// Returns a sentence about an unknown name, with the most similar name and all allowed names.
  ///
  /// - Parameters:
  ///   - kind: The kind of name, such as `member`.
  ///   - name: The name in the request, of any length.
  ///   - names: The allowed names.
  ///   - owner: The operation that does not have the name; nil to say only that the name is not
  ///     allowed at the place of the fault.
  ///   - given: The names that are given already, and are not meant therefore.
  /// - Returns: One to three sentences.
  package static func unknown(
    _ kind: String,
    _ name: some Collection<UInt8>,
    among names: [String],
    of owner: String? = nil,
    besides given: [String] = []
  ) -> String {
    let start =
      owner.map { "\($0) has no \(kind) \(quoted(name))" }
      ?? "There is no \(kind) \(quoted(name)) here"
    guard !names.isEmpty else { return start + "; none is allowed." }
    let others = names.filter { !given.contains($0) }
    let meant = probable(name, among: others).map { " Did you mean \($0)?" } ?? ""
    return "\(start).\(meant) Allowed: \(names.joined(separator: ", "))."
  }

  /// Returns a client's text in quotes for a message, shortened if it is long.
  package static func quoted(_ text: some Collection<UInt8>) -> String {
    let shown = String(decoding: text.prefix(4 * maxShown), as: UTF8.self).unicodeScalars
    let start = String(shown.prefix(maxShown))
    return start.utf8.count < text.count ? "\"\(start)…\"" : "\"\(start)\""
  }

  /// Returns the name that was probably meant: that of a synonym, or else the most similar name.
  package static func probable(
    _ name: some Collection<UInt8>,
    among names: [String]
  ) -> String? {
    guard name.count <= 64 else { return nil }
    let text = String(decoding: name, as: UTF8.self)
    let folded = nameWithoutMarks(text)
    if let same = names.first(where: { nameWithoutMarks($0) == folded }) { return same }
    let synonyms = synonyms[String(decoding: folded, as: UTF8.self)] ?? []
    return synonyms.first(where: names.contains) ?? nearestName(to: text, among: names)
  }

  /// The names used here, by names of other services and libraries in lower case.
  private static let synonyms: [String: [String]] = Dictionary(
    (members + operations + parameters).flatMap { names, written in
      written.split(separator: " ").map { (String($0), names) }
    },
    uniquingKeysWith: +
  )

  private static let members: [([String], String)] = [
    (["key"], "id uid uuid guid nodeid nodekey identifier nodename name"),
    (["keys"], "ids uids nodeids nodekeys identifiers"),
    (["object", "equals"], "value data content contents payload item properties"),
    (["object", "equals"], "attributes attrs record"),
    (["parent"], "parentid parentkey parentnode under into pid container to target newparent"),
    (["children", "nodes"], "child subnodes descendants kids childnodes"),
    (["nodes", "children"], "items roots tree rows data nodes children forest"),
    (["operations"], "ops actions commands batch transaction edits"),
    (["op"], "type operation action command kind method"),
    (["by"], "field path property pointer column sortby orderby attribute on sort direction"),
    (["direction"], "order dir descending ascending desc asc"),
    (["compare"], "comparator comparison mode collation"),
    (["sort"], "orderby sortby sorting order sorters"),
    (["levels", "depth"], "depth level recursive deep"),
    (["merge"], "patch mergepatch changes set"),
    (["index", "offset"], "position pos at newindex rank idx"),
    (["section"], "name group sectionname sectionid"),
    (["to"], "name newname newkey rename"),
    (["before"], "beforekey insertbefore nextsibling"),
    (["after"], "afterkey insertafter previoussibling"),
    (["first"], "prepend top start"),
    (["expansion", "expandedKeys"], "expanded expand open isexpanded opened"),
    (["selection", "selectedKeys"], "selected selectionmode multiselect"),
    (["idleTimeoutSeconds"], "timeout ttl idletimeout expires expiry expiresin"),
    (["childCount"], "haschildren childrencount numchildren"),
    (["equals"], "eq is equal equalto"),
    (["startsWith"], "prefix beginswith startswithtext"),
    (["matches"], "glob like pattern regex regexp match wildcard"),
    (["above"], "gt gte greaterthan min morethan"),
    (["below"], "lt lte lessthan max"),
    (["contains"], "includes include has substring text"),
    (["all"], "and every must"),
    (["any"], "or some should"),
    (["not"], "none nor mustnot"),
    (["caseSensitive"], "ignorecase caseinsensitive sensitive"),
    (["filter", "q"], "where query filters predicate"),
    (["tree"], "treeid source id name"),
  ]

  private static let operations: [([String], String)] = [
    (["insert"], "add create append new put upsert push"),
    (["update"], "edit modify replace change"),
    (["remove"], "delete del destroy erase unset"),
    (["expandAll"], "openall"), (["collapseAll"], "closeall"),
    (["collapse"], "close fold"), (["toggle"], "flip switch"),
    (["reveal"], "show scrollto focus"), (["deselect"], "unselect"),
    (["clearSelection"], "deselectall selectnone unselectall"),
    (["move"], "reparent drag relocate"),
    (["insertSection"], "addsection createsection newsection"),
    (["removeSection"], "deletesection dropsection"),
  ]

  private static let parameters: [([String], String)] = [
    (["offset"], "skip from page"), (["limit"], "size pagesize perpage top take maxresults"),
    (["q"], "search term keyword"), (["after"], "cursor next startafter pagetoken"),
    (["fields"], "columns props projection"), (["since"], "rev lastrevision version"),
    (["wait"], "poll longpoll"), (["dryRun"], "preview simulate test validate"),
  ]
}
