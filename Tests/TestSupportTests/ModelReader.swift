@testable import TestSupport

/// A decoder of batches and options for the model, as far as ``ModelService`` needs it.
struct ModelReader {
  static func options(_ json: RawJSON) -> ModelSessionOptions {
    var options = ModelSessionOptions()
    options.rule = ModelSessionOptions.Rule(json["expansion"]) ?? .all
    options.forgetsNestedExpansion = json["nestedExpansion"]?.string == "forget"
    options.isAccordion = json["accordion"]?.bool == true
    options.order = json["order"]?.string.flatMap(ModelOrder.init) ?? .depthFirst
    options.viewSort = sorts(json["viewSort"])
    options.filter = json["filter"].flatMap(ModelFilter.init)
    options.selection = json["selection"]?.string.flatMap(ModelSelectionMode.init) ?? .multiple
    options.isViewOnly = json["access"]?.string == "view"
    options.idleTimeoutSeconds = json["idleTimeoutSeconds"]?.integer
    options.expandedKeys = keys(json["expandedKeys"])
    options.sort = sorts(json["sort"])
    options.sections = keys(json["sections"])
    options.nodes = json["nodes"]?.elements?.compactMap(node) ?? []
    return options
  }

  static func patch(_ json: RawJSON) -> ModelPatch {
    var patch = ModelPatch()
    patch.rule = ModelSessionOptions.Rule(json["expansion"])
    patch.order = json["order"]?.string.flatMap(ModelOrder.init)
    if json["viewSort"] != nil { patch.viewSort = sorts(json["viewSort"]) }
    if let filter = json["filter"] { patch.filter = .some(ModelFilter(filter)) }
    patch.selection = json["selection"]?.string.flatMap(ModelSelectionMode.init)
    patch.forgetsNestedExpansion = json["nestedExpansion"]?.string.map { $0 == "forget" }
    patch.isAccordion = json["accordion"]?.bool
    patch.idleTimeoutSeconds = json["idleTimeoutSeconds"]?.integer
    if json["sort"] != nil { patch.sort = sorts(json["sort"]) }
    return patch
  }

  static func batch(_ body: [UInt8]) throws -> [ModelOperation] {
    let operations = try RawJSON(parsing: body)["operations"]?.elements ?? []
    return operations.map { operation($0) ?? malformed($0) }
  }

  private static func keys(_ json: RawJSON?) -> [ModelKey] {
    json?.elements?.compactMap(\.key) ?? []
  }

  private static func sorts(_ json: RawJSON?) -> [ModelSort] {
    json?.elements?.map(sort) ?? []
  }

  private static func operation(_ json: RawJSON) -> ModelOperation? {
    guard !RandomOperations.malformedTexts.contains(json.text) else { return nil }
    switch json["op"]?.string {
    case "expandAll": return .expandAll
    case "collapseAll": return .collapseAll
    case "clearSelection": return .clearSelection
    case "setChildren": return setChildren(json)
    case "sort": return .sort(sortTarget(json), by: sorts(json["by"]))
    case "select": return selection(json).map { .select($0) }
    case "deselect": return selection(json).map { .deselect($0) }
    case let op? where op.hasSuffix("Section"): return sectionOperation(op, json)
    case let op?: return nodeOperation(op, json)
    case nil: return nil
    }
  }

  private static func nodeOperation(_ op: String, _ json: RawJSON) -> ModelOperation? {
    let keys = json["keys"]?.elements?.compactMap(\.key) ?? json["key"]?.key.map { [$0] }
    guard let keys, let key = keys.first else { return nil }
    let section = json["section"]?.key
    let parent = json["parent"]?.key
    switch op {
    case "insert":
      var bare = node(json)
      bare?.section = nil
      return bare.map { .insert($0, parent: parent, section: section, place: place(json)) }
    case "update": return update(key, json)
    case "remove": return json["keys"] == nil ? .remove(key) : .removeAll(keys)
    case "move": return .move(keys, parent: parent, section: section, place: place(json))
    case "expand": return .expand(key, levels: levels(json))
    case "collapse": return .collapse(key, levels: levels(json))
    case "toggle": return .toggle(key, levels: levels(json))
    case "reveal": return .reveal(keys, selects: json["select"]?.bool == true)
    default: return nil
    }
  }

  private static func sectionOperation(_ op: String, _ json: RawJSON) -> ModelOperation? {
    guard let name = json["section"]?.key else { return nil }
    switch op {
    case "insertSection": return .insertSection(name, index: json["index"]?.integer)
    case "removeSection": return .removeSection(name)
    case "moveSection": return .moveSection(name, index: json["index"]?.integer ?? 0)
    case "renameSection": return json["to"]?.key.map { .renameSection(name, to: $0) }
    case "expandSection": return .expandSection(name)
    case "collapseSection": return .collapseSection(name)
    default: return nil
    }
  }

  private static func setChildren(_ json: RawJSON) -> ModelOperation? {
    guard let children = json["children"] else { return nil }
    let target = json["key"]?.key.map(ModelTarget.node) ?? .roots(section: json["section"]?.key)
    if children.isNull { return .setChildren(target, .none) }
    if let nodes = children.elements {
      return .setChildren(target, .nodes(nodes.compactMap(node)))
    }
    let state = children.string.flatMap(ModelNewChildren.State.init)
    return state.map { .setChildren(target, .state($0, hint: json["childCount"]?.integer)) }
  }

  private static func sortTarget(_ json: RawJSON) -> ModelSortTarget {
    if json["key"] == nil { return .everywhere }
    return json["key"]?.key.map(ModelSortTarget.children) ?? .roots(section: json["section"]?.key)
  }

  private static func selection(_ json: RawJSON) -> ModelSelection? {
    if let key = json["subtree"]?.key { return .subtree(key) }
    return .keys(json["keys"].map { keys($0) } ?? [json["key"]?.key].compactMap(\.self))
  }

  private static func malformed(_ json: RawJSON) -> ModelOperation {
    let isUnknown = json["op"]?.string == "explode"
    return .malformed(json: json.text, code: isUnknown ? .unknownOperation : .invalidRequest)
  }

  private static func update(_ key: ModelKey, _ json: RawJSON) -> ModelOperation? {
    switch (json["object"], json["merge"]) {
    case (let object?, nil): .update(key, object: object)
    case (nil, let patch?): .merge(key, patch: patch)
    default: nil
    }
  }

  private static func node(_ json: RawJSON) -> ModelNestedNode? {
    guard let key = json["key"]?.key else { return nil }
    var node = ModelNestedNode(key, object: json["object"])
    if let children = json["children"], !children.isNull {
      let nested = children.elements?.compactMap { ModelReader.node($0) }
      node.children = nested.map(ModelNestedNode.Children.loaded) ?? .unloaded
    }
    node.hint = json["childCount"]?.integer
    node.section = json["section"]?.key
    return node
  }

  private static func place(_ json: RawJSON) -> ModelPlace {
    if let index = json["index"]?.integer { return .index(index) }
    if let anchor = json["before"]?.key { return .before(anchor) }
    if let anchor = json["after"]?.key { return .after(anchor) }
    if let descriptors = json["sort"]?.elements { return .sort(descriptors.map(sort)) }
    return json["first"] == nil ? .unspecified : .first
  }

  private static func levels(_ json: RawJSON) -> ModelLevels {
    json["levels"]?.string == "all" ? .all : .count(json["levels"]?.integer ?? 1)
  }

  private static func sort(_ json: RawJSON) -> ModelSort {
    ModelSort(
      by: json["by"]?.string ?? "",
      descending: json["direction"]?.string == "descending",
      compare: json["compare"]?.string.flatMap(ModelSort.Comparison.init) ?? .auto
    )
  }
}
