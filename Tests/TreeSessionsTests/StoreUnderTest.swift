import JSON
import TreeDomain
import TreeSessions

/// A session of a store, spoken to in the contract's JSON.
struct StoreUnderTest {
  let store: SessionStore
  let id: SessionID

  init(_ options: String = "{}", limits: SessionLimits = SessionLimits()) throws {
    try self.init(options, in: SessionStore(limits: limits))
  }

  init(_ options: String, in store: SessionStore) throws {
    self.store = store
    let new = try NewSession.decode(body: Array(options.utf8))
    id = try store.createSession(new, nil).description.session
  }

  @discardableResult
  func apply(
    _ body: [UInt8],
    _ options: BatchOptions = BatchOptions()
  ) throws(ServiceError) -> BatchAnswer {
    try store.apply(Batch.decode(body: body), to: id, options)
  }

  @discardableResult
  func apply(
    _ operations: String...,
    options: BatchOptions = BatchOptions()
  ) throws(ServiceError) -> BatchAnswer {
    let list = operations.joined(separator: ",")
    return try apply(Array(#"{"operations":[\#(list)]}"#.utf8), options)
  }

  /// All rows, as JSON without the revision.
  func rows() throws(ServiceError) -> String {
    let page = try store.rows(of: id, RowQuery(.offset(0, limit: 1_000_000)))
    return "[\(String(decoding: page.rows.text, as: UTF8.self))]"
  }

  /// The keys of all rows, in order; of those that need no escapes in JSON.
  func keys() throws(ServiceError) -> [String] {
    let query = RowQuery(.offset(0, limit: 1_000_000), fields: .key)
    let rows = try store.rows(of: id, query).rows
    return (0..<rows.count).map { place in
      let row = rows[place..<(place + 1)]
      return String(decoding: row.dropFirst(#"{"key":""#.utf8.count).dropLast(2), as: UTF8.self)
    }
  }

  /// A change list as JSON.
  static func json(_ answer: BatchAnswer) -> String {
    var writer = JSONWriter()
    answer.write(to: &writer)
    let bytes = writer.finish()
    return String(decoding: bytes, as: UTF8.self)
  }
}

/// The error that a call throws, or nil.
func refusal(_ body: () throws(ServiceError) -> Void) -> ServiceError? {
  do throws(ServiceError) {
    try body()
    return nil
  } catch {
    return error
  }
}
