@testable import TestSupport

/// Reads batches and options back into the model's words: enough for the model to play the service.
struct ModelReader {
  static func options(_ body: [UInt8]) throws -> ModelSessionOptions {
    let json = try RawJSON(parsing: body)
    var options = ModelSessionOptions()
    switch (json["expansion"]?.string, json["expansion"]?.integer) {
    case (_, let depth?): options.rule = .depth(depth)
    case ("none", _): options.rule = .none
    default: options.rule = .all
    }
    options.forgetsNestedExpansion = json["nestedExpansion"]?.string == "forget"
    options.expandedKeys = json["expandedKeys"]?.elements?.compactMap(\.key) ?? []
    options.sort = json["sort"]?.elements?.map(sort) ?? []
    options.nodes = json["nodes"]?.elements?.compactMap(node) ?? []
    return options
  }

  static func batch(_ body: [UInt8]) throws -> [ModelOperation] {
    let operations = try RawJSON(parsing: body)["operations"]?.elements ?? []
    return operations.map { operation($0) ?? malformed($0) }
  }

  private static func operation(_ json: RawJSON) -> ModelOperation? {
    let keys = json["keys"]?.elements?.compactMap(\.key) ?? json["key"]?.key.map { [$0] }
    guard !RandomOperations.malformedTexts.contains(json.text) else { return nil }
    let op = json["op"]?.string
    if op == "expandAll" { return .expandAll }
    if op == "collapseAll" { return .collapseAll }
    guard let keys, let key = keys.first else { return nil }
    switch op {
    case "insert": return insert(json)
    case "update": return update(key, json)
    case "remove": return .remove(key)
    case "move": return .move(keys, parent: json["parent"]?.key, place: place(json))
    case "expand": return .expand(key, levels: levels(json))
    case "collapse": return .collapse(key, levels: levels(json))
    case "toggle": return .toggle(key, levels: levels(json))
    case "reveal": return .reveal(keys)
    default: return nil
    }
  }

  private static func malformed(_ json: RawJSON) -> ModelOperation {
    let isUnknown = json["op"]?.string == "explode"
    return .malformed(json: json.text, code: isUnknown ? .unknownOperation : .invalidRequest)
  }

  private static func insert(_ json: RawJSON) -> ModelOperation? {
    node(json).map { .insert($0, parent: json["parent"]?.key, place: place(json)) }
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
    if let children = json["children"] {
      let nested = children.elements?.compactMap { ModelReader.node($0) }
      node.children = nested.map(ModelNestedNode.Children.loaded) ?? .unloaded
    }
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
