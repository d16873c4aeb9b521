import JSON
import TreeEngine

/// The words for children that are not listed.
private enum ChildrenWord: String, CaseIterable {
  case unloaded, loading, failed
  static let table = FieldTable<ChildrenWord>()

  var state: ChildState {
    switch self {
    case .unloaded: .unloaded
    case .loading: .loading
    case .failed: .failed
    }
  }
}

// Values that several kinds of bodies have.
extension BodyCursor {
  /// Reads one of the words of a table.
  ///
  /// The error lists them.
  mutating func readOne<Word: RawRepresentable<String>>(
    of table: FieldTable<Word>
  ) throws(ServiceError) -> Word {
    guard let word = try readWord(of: table) else {
      let words = table.fields.map(\.rawValue).joined(separator: ", ")
      throw invalid("This must be one of: \(words).")
    }
    return word
  }

  /// Reads an object or a merge patch as raw JSON.
  mutating func readRawValue() throws(ServiceError) -> ByteSlice {
    let range = try skipObject()
    let limit = limits.maxObjectBytes
    guard range.count <= limit else {
      throw tooLarge(
        "This has more than \(limit) bytes; store less in one node.",
        limit: limit
      )
    }
    return ByteSlice(range)
  }

  /// Reads the key of a node.
  mutating func readKey() throws(ServiceError) -> ByteSlice {
    let key = try readString()
    guard 1...limits.maxKeyBytes ~= key.count else {
      throw invalid(KeyRules.advice(limits))
    }
    return key
  }

  /// Refuses the key of a new node that is not safe in a path.
  ///
  /// - Parameter key: The key, read from the object that was just left.
  /// - Throws: `invalid-request` with a pointer to the key.
  @inline(__always)
  func checkNew(_ key: ByteSlice) throws(ServiceError) {
    guard limits.requiresSafeNames, !KeyRules.isSafe(bytes(of: key)) else { return }
    throw invalid(KeyRules.safetyAdvice, member: "key")
  }

  /// Reads a list of keys, which may be empty and may repeat keys.
  mutating func readKeys() throws(ServiceError) -> [ByteSlice] {
    var keys: [ByteSlice] = []
    try beginArray()
    while try nextElement() { keys.append(try readKey()) }
    return keys
  }

  /// Reads the value of `parent`.
  mutating func readParent() throws(ServiceError) -> ParentReference {
    guard try peekKind() == .null else { return .node(try readKey()) }
    try readNull()
    return .root
  }

  /// Reads the id of a shared tree.
  mutating func readTreeID() throws(ServiceError) -> TreeID {
    let written = try readString()
    guard let id = TreeID(validating: bytes(of: written)) else {
      throw invalid(
        "The id of a tree is 1 to \(TreeID.maxBytes) of A-Z a-z 0-9 . _ ~ -; not `.` and not `..`."
      )
    }
    return id
  }
}

// Children of a node.
extension BodyCursor {
  /// The advice about `children` of a nested node.
  static let childrenAdvice = "This must be a list of nodes, null or \"unloaded\"."

  /// The error for `childCount` beside children that are given.
  var misplacedCount: ServiceError {
    invalid("childCount goes with children that are not here; leave it out.", member: "childCount")
  }

  /// Reads the value of `children` of an operation if it is not a list.
  mutating func readChildState() throws(ServiceError) -> ChildState {
    switch try peekKind() {
    case .null:
      try readNull()
      return .leaf
    case .string:
      if let word = try readWord(of: ChildrenWord.table) { return word.state }
      fallthrough
    default:
      throw invalid(
        "This must be a list of nodes, null, \"unloaded\", \"loading\" or \"failed\"."
      )
    }
  }

  /// Reads the value of `children` of a nested node if it is not a list.
  mutating func readUnlistedChildren() throws(ServiceError) -> ChildState {
    switch try peekKind() {
    case .null:
      try readNull()
      return .leaf
    case .string:
      if try readWord(of: ChildrenWord.table) == .unloaded { return .unloaded }
      fallthrough
    default:
      throw invalid(Self.childrenAdvice)
    }
  }
}

// Sections of roots.
extension BodyCursor {
  /// Reads the name of an existing section.
  ///
  /// The nameless section has an empty name.
  mutating func readSectionName() throws(ServiceError) -> ByteSlice {
    let name = try readString()
    guard name.count <= SectionRules.maxNameBytes else { throw invalid(SectionRules.advice) }
    return name
  }

  /// Reads the name of a new section, which must not be empty.
  mutating func readNewSectionName() throws(ServiceError) -> ByteSlice {
    let name = try readSectionName()
    guard name.count > 0, isSafe(section: name) else { throw invalid(SectionRules.advice) }
    return name
  }

  /// Returns true if a new section may have this name.
  ///
  /// U+0000 is refused, because a query cannot contain it.
  func isSafe(section name: ByteSlice) -> Bool {
    !limits.requiresSafeNames || !bytes(of: name).contains(0)
  }

  /// Reads the names of a tree's sections.
  mutating func readNewSections() throws(ServiceError) -> [ByteSlice] {
    var names: [ByteSlice] = []
    var known: Set<[UInt8]> = []
    try beginArray()
    while try nextElement() {
      let name = try readNewSectionName()
      let bytes = Array(bytes(of: name))
      guard known.insert(bytes).inserted else {
        var error = refusal(
          .duplicateKey,
          "A name is given to one section of a tree only; choose another."
        )
        error.key = String(decoding: bytes, as: UTF8.self)
        throw error
      }
      names.append(name)
    }
    return names
  }
}
