import JSON
import TreeDomain
import TreeSessions

/// A session of a store, spoken to in the contract's JSON.
struct StoreUnderTest {
  let store: SessionStore
  let id: SessionID

  /// A session that is open already.
  init(_ id: SessionID, in store: SessionStore) {
    self.store = store
    self.id = id
  }

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
    return String(decoding: page.rows, as: UTF8.self)
  }

  /// The keys of all rows, in order; of those that need no escapes in JSON.
  func keys() throws(ServiceError) -> [String] {
    let query = RowQuery(.offset(0, limit: 1_000_000), fields: .key)
    let rows = try store.rows(of: id, query).rows
    return String(decoding: rows, as: UTF8.self).split(separator: "\"").enumerated().compactMap {
      // `[{`, then `key`, `:`, the key and `},{` again and again.
      $0 % 4 == 3 ? String($1) : nil
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

extension RowPage {
  /// How many rows there are in all, as the page says; -1 where it does not.
  var rowCount: Int {
    member("rowCount").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? -1
  }

  /// The rows, an array.
  var rows: [UInt8] { member("rows") ?? [] }

  /// The value of a member, as it is written.
  private func member(_ name: String) -> [UInt8]? {
    JSONPointer(Array("/\(name)".utf8))?.evaluate(in: text[...]).map { Array(text[$0]) }
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
