// Reads of a session other than its rows.
extension ModelSession {
  /// The members of the view's state, as in `GET /v1/sessions/{s}/state`.
  package var stateMembers: [(String, [UInt8])] {
    var members = [
      ("expansion", view.expansion.rule.json),
      ("toggledKeys", keys(view.expansion.toggled)),
      ("selectedKeys", keys(view.selected)),
      ("collapsedSections", sections(view.expansion.collapsedSections)),
      ("order", JSONText.string(view.order.rawValue)), ("viewSort", view.viewSort.wholeJSON),
      ("filter", view.filter?.json ?? JSONText.key(nil)),
    ]
    if let filtered = view.filtered {
      members.append(("filterExpansion", filtered.rule.json))
      members.append(("filterToggledKeys", keys(filtered.toggled)))
      members.append(("filterCollapsedSections", sections(filtered.collapsedSections)))
    }
    return members + optionMembers
  }

  /// The members for the other options, which affect neither expansion nor visibility.
  package var optionMembers: [(String, [UInt8])] {
    [
      ("selection", JSONText.string(view.selection.rawValue)),
      ("nestedExpansion", JSONText.string(view.forgetsNestedExpansion ? "forget" : "remember")),
      ("accordion", JSONText.bool(view.isAccordion)),
      ("idleTimeoutSeconds", JSONText.number(view.idleTimeoutSeconds)),
    ]
  }

  /// The members of a session's description that name its options.
  package var descriptionMembers: [(String, [UInt8])] {
    let sections = tree.hasSections ? tree.sections.map { JSONText.key($0.name) } : []
    return [
      ("selectedCount", JSONText.number(selectedCount)), ("sections", JSONText.array(sections)),
      ("access", JSONText.string(view.isViewOnly ? "view" : "write")),
      ("expansion", view.expansion.rule.json), ("order", JSONText.string(view.order.rawValue)),
      ("viewSort", view.viewSort.wholeJSON),
      ("filter", view.filter?.json ?? JSONText.key(nil)),
    ] + optionMembers
  }

  /// Searches nodes in pre-order, with siblings in the order of the view.
  ///
  /// - Parameters:
  ///   - query: The text to find, ignoring case.
  ///   - by: A JSON Pointer or "#key"; nil for the key and all strings of the object.
  /// - Returns: The rows of the matches.
  package func search(_ query: String, by: String?) -> [ModelRow] {
    let wanted = Folding.folded(Array(query.utf8))
    return reading.allNodes.filter { node in
      let texts =
        by.map { node.subject.value($0).flatMap(\.searchedText).map { [$0] } ?? [] }
        ?? [node.key.bytes] + node.object.strings
      return texts.contains { Folding.folded($0).contains(run: wanted) }
    }.compactMap { row(of: $0.key) }
  }

  private func keys(_ identities: Set<Int>) -> [UInt8] {
    JSONText.array(
      tree.allNodes.filter { identities.contains($0.identity) }.map { JSONText.key($0.key) }
    )
  }

  private func sections(_ identities: Set<Int>) -> [UInt8] {
    JSONText.array(
      tree.sections.filter { identities.contains($0.identity) }.map { JSONText.key($0.name) }
    )
  }
}
