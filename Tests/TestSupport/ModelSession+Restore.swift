extension ModelFilter {
  /// Decodes a filter; returns nil if it is invalid.
  package init?(_ json: RawJSON) {
    if let parts = json["all"]?.elements {
      self = .all(parts.compactMap(ModelFilter.init))
    } else if let parts = json["any"]?.elements {
      self = .any(parts.compactMap(ModelFilter.init))
    } else if let part = json["not"].flatMap(ModelFilter.init) {
      self = .not(part)
    } else {
      let test = Test.allCases.first { json[$0.rawValue] != nil }
      guard let by = json["by"]?.string, let test, let operand = json[test.rawValue] else {
        return nil
      }
      let caseSensitive = json["caseSensitive"]?.bool ?? false
      self = .value(by: by, test, operand: operand.text, caseSensitive: caseSensitive)
    }
  }
}

extension ModelSessionOptions.Rule {
  /// Decodes a rule; returns nil if it is invalid.
  package init?(_ json: RawJSON?) {
    switch (json?.string, json?.integer) {
    case ("all", _): self = .all
    case ("none", _): self = .none
    case (_, let depth?): self = .depth(depth)
    default: return nil
    }
  }
}

extension ModelSession {
  /// Replaces the view with a decoded state. Unknown keys and sections are skipped.
  package func restore(_ state: RawJSON) {
    var view = view
    view.expansion = expansion(state, rule: "expansion", keys: "toggledKeys")
    view.expansion.collapsedSections = sections(state["collapsedSections"])
    view.setFilter(nil)
    view.setFilter(state["filter"].flatMap(ModelFilter.init))
    if view.filter != nil {
      view.filtered = expansion(state, rule: "filterExpansion", keys: "filterToggledKeys")
      view.filtered?.collapsedSections = sections(state["filterCollapsedSections"])
    }
    view.selected = identities(state["selectedKeys"])
    view.order = state["order"]?.string.flatMap(ModelOrder.init) ?? .depthFirst
    view.viewSort = (state["viewSort"]?.elements ?? []).map(ModelSort.init)
    view.selection = state["selection"]?.string.flatMap(ModelSelectionMode.init) ?? .multiple
    view.forgetsNestedExpansion = state["nestedExpansion"]?.string == "forget"
    view.isAccordion = state["accordion"]?.bool == true
    view.idleTimeoutSeconds = state["idleTimeoutSeconds"]?.integer ?? view.idleTimeoutSeconds
    view.prune(for: tree)
    begin(with: view)
  }

  private func expansion(_ state: RawJSON, rule: String, keys: String) -> ModelExpansion {
    ModelExpansion(
      rule: ModelSessionOptions.Rule(state[rule]) ?? .all,
      toggled: identities(state[keys])
    )
  }

  private func identities(_ keys: RawJSON?) -> Set<Int> {
    Set((keys?.elements ?? []).compactMap(\.key).compactMap { tree.nodes[$0]?.identity })
  }

  private func sections(_ names: RawJSON?) -> Set<Int> {
    let names = (names?.elements ?? []).compactMap(\.key)
    return Set(tree.sections.filter { names.contains($0.name) }.map(\.identity))
  }
}
