import TestSupport

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
    let isKnown = json.memberNames.allSatisfy(names.contains)
    guard isKnown, let name = json["op"]?.string else { return nil }
    if name == "expandAll", keys == nil { return .expandAll }
    if name == "collapseAll", keys == nil { return .collapseAll }
    guard let keys, let key = keys.first, !key.bytes.isEmpty else { return nil }
    guard json["key"] == nil || json["keys"] == nil else { return nil }
    switch name {
    case "insert": return insert(json)
    case "update": return update(key, json)
    case "remove": return .remove(key)
    case "move": return place(json).map { .move(keys, parent: json["parent"]?.key, place: $0) }
    case "expand": return levels(json).map { .expand(key, levels: $0) }
    case "collapse": return levels(json).map { .collapse(key, levels: $0) }
    case "toggle": return levels(json).map { .toggle(key, levels: $0) }
    case "reveal": return .reveal(keys)
    default: return nil
    }
  }

  private static func malformed(_ json: RawJSON) -> ModelOperation {
    let isUnknown = json["op"]?.string == "explode"
    return .malformed(json: json.text, code: isUnknown ? .unknownOperation : .invalidRequest)
  }

  private static func insert(_ json: RawJSON) -> ModelOperation? {
    let isPlain = json["parent"] == nil || json["parent"]?.key != nil
    guard isPlain, let node = node(json), let place = place(json) else { return nil }
    return .insert(node, parent: json["parent"]?.key, place: place)
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
      if let nested = children.elements {
        node.children = .loaded(nested.compactMap { ModelReader.node($0) })
      } else if children.string == "unloaded" {
        node.children = .unloaded
      } else {
        return nil
      }
    }
    return node
  }

  private static func place(_ json: RawJSON) -> ModelPlace? {
    let given = ["index", "before", "after", "first", "sort"].filter { json[$0] != nil }
    guard let name = given.first else { return .unspecified }
    guard given.count == 1 else { return nil }
    switch name {
    case "index": return json[name]?.integer.map(ModelPlace.index)
    case "before": return json[name]?.key.map(ModelPlace.before)
    case "after": return json[name]?.key.map(ModelPlace.after)
    case "first": return .first
    default:
      let descriptors = json[name]?.elements ?? []
      return descriptors.contains { $0["compare"]?.string == "magic" }
        ? nil : .sort(descriptors.map(sort))
    }
  }

  private static func levels(_ json: RawJSON) -> ModelLevels? {
    guard let levels = json["levels"] else { return .count(1) }
    return levels.string == "all" ? .all : levels.integer.map(ModelLevels.count)
  }

  private static func sort(_ json: RawJSON) -> ModelSort {
    ModelSort(
      by: json["by"]?.string ?? "",
      descending: json["direction"]?.string == "descending",
      compare: json["compare"]?.string.flatMap(ModelSort.Comparison.init) ?? .auto
    )
  }

  private static let names: Set<String> = [
    "op", "key", "keys", "parent", "object", "merge", "children", "index", "before", "after",
    "first", "sort", "levels",
  ]
}
