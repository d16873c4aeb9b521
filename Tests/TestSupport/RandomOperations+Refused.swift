extension RandomOperations {
  /// Returns an operation that the session refuses now.
  mutating func refused(by session: ModelSession) -> ModelOperation {
    let absent: ModelKey = "nowhere"
    if random.oneIn(3), let operation = refusedFeature(by: session) { return operation }
    guard let key = random.element(of: session.keys) else { return malformed() }
    let node = ModelNestedNode("fresh")
    switch random.number(in: 0...9) {
    case 0...1: return absentNode(absent, key)
    case 2:
      return random.oneIn(2)
        ? .insert(node, parent: absent, place: .before(absent))
        : .move([key], parent: absent, place: .index(99))
    case 3: return duplicate(of: key)
    case 4: return cycle(session)
    case 5: return wrongAnchor(key, session)
    case 6: return .insert(node, parent: key, place: .index(index(beyond: key, session)))
    case 7:
      let siblings = session.children(of: nil) ?? []
      let others = siblings.filter { $0.key != key }.count
      return .move([key], parent: nil, place: .index(others + 1))
    default: return malformed()
    }
  }

  private mutating func absentNode(_ absent: ModelKey, _ key: ModelKey) -> ModelOperation {
    random.choice([
      .update(absent, object: .null), .merge(absent, patch: .null), .remove(absent),
      .removeAll([key, absent]),
      .move([absent], parent: absent, place: .first),
      .move([key, absent], parent: key, place: .first),
      .expand(absent, levels: .all), .collapse(absent, levels: .count(1)),
      .toggle(absent, levels: .count(2)), .reveal([key, absent]),
    ])
  }

  private mutating func duplicate(of key: ModelKey) -> ModelOperation {
    let twice: [ModelNestedNode] = [ModelNestedNode("twin"), ModelNestedNode("twin")]
    let inside: [ModelNestedNode] = [ModelNestedNode(key)]
    return random.choice([
      .insert(ModelNestedNode(key), parent: nil, place: .first),
      .insert(ModelNestedNode(key), parent: nil, place: .index(99)),
      .insert(ModelNestedNode("fresh", children: .loaded(inside)), parent: key, place: .first),
      .insert(ModelNestedNode("fresh", children: .loaded(twice)), parent: nil, place: .first),
    ])
  }

  private mutating func cycle(_ session: ModelSession) -> ModelOperation {
    let key = random.choice(session.keys)
    let inside = session.tree.nodes[key]?.subtree.map(\.key) ?? [key]
    return .move([key], parent: random.choice(inside), place: .after("nowhere"))
  }

  private mutating func wrongAnchor(_ key: ModelKey, _ session: ModelSession) -> ModelOperation {
    let siblings = (session.children(of: key) ?? []).map(\.key)
    let stranger = session.keys.first { !siblings.contains($0) } ?? "nowhere"
    return random.choice([
      .insert(ModelNestedNode("fresh"), parent: key, place: .before(stranger)),
      .insert(ModelNestedNode("fresh"), parent: key, place: .after("nowhere")),
      .move([key], parent: nil, place: .before(key)),
    ])
  }

  private func index(beyond key: ModelKey, _ session: ModelSession) -> Int {
    (session.children(of: key) ?? []).count + 1
  }

  mutating func malformed() -> ModelOperation {
    let code: ModelErrorCode = random.oneIn(6) ? .unknownOperation : .invalidRequest
    if code == .unknownOperation { return .malformed(json: #"{"op":"explode"}"#, code: code) }
    return .malformed(json: random.choice(RandomOperations.malformedTexts), code: code)
  }

  /// Texts that cannot be decoded as operations: members are missing, unknown or of a wrong type.
  static let malformedTexts = [
    #"{}"#, #"[]"#, #""remove""#, #"{"op":7,"key":"k1"}"#, #"{"key":"k1"}"#,
    #"{"op":"insert"}"#, #"{"op":"insert","key":""}"#, #"{"op":"insert","key":5}"#,
    #"{"op":"insert","key":"fresh","parent":5}"#,
    #"{"op":"insert","key":"fresh","first":true,"index":0}"#,
    #"{"op":"insert","key":"fresh","before":"k1","after":"k1"}"#,
    #"{"op":"insert","key":"fresh","index":"first"}"#,
    #"{"op":"insert","key":"fresh","children":"perhaps"}"#,
    #"{"op":"insert","key":"fresh","sort":[{"by":"/t","compare":"magic"}]}"#,
    #"{"op":"update","key":"k1"}"#, #"{"op":"update","key":"k1","object":1,"merge":{}}"#,
    #"{"op":"remove","key":"k1","colour":"red"}"#, #"{"op":"remove","key":null}"#,
    #"{"op":"remove","key":"k1","keys":["k1"]}"#, #"{"op":"remove","keys":["k1","k1"]}"#,
    #"{"op":"remove"}"#, #"{"op":"remove","keys":[]}"#,
    #"{"op":"move","parent":null}"#, #"{"op":"move","key":"k1","keys":["k1"],"parent":null}"#,
    #"{"op":"expand"}"#, #"{"op":"expand","key":"k1","levels":"some"}"#,
    #"{"op":"insert","key":"fresh","index":-1}"#, #"{"op":"insert","key":"fresh","first":false}"#,
    #"{"op":"insert","key":"fresh","children":[{"key":"inner","place":1}]}"#,
    #"{"op":"move","keys":[],"parent":null}"#, #"{"op":"move","keys":["k1","k1"],"parent":null}"#,
    #"{"op":"expand","key":"k1","levels":0}"#, #"{"op":"toggle","key":"k1","levels":1.5}"#,
    #"{"op":"expandAll","key":"k1"}"#, #"{"op":"reveal"}"#,
  ]
}
