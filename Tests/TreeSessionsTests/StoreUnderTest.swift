import JSON
import TreeDomain
import TreeSessions

/// A session of a store that a test uses through the JSON of the contract.
struct StoreUnderTest {
  let store: SessionStore
  let id: SessionID

  /// Wraps a session that exists.
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

  /// Returns all rows as JSON, without the revision.
  func rows() throws(ServiceError) -> String {
    let page = try store.rows(of: id, RowQuery(.offset(0, limit: 1_000_000)))
    return String(decoding: page.rows, as: UTF8.self)
  }

  /// Returns the keys of all rows in order.
  /// - Precondition: No key needs an escape in JSON.
  func keys() throws(ServiceError) -> [String] {
    let query = RowQuery(.offset(0, limit: 1_000_000), fields: .key)
    let rows = try store.rows(of: id, query).rows
    return String(decoding: rows, as: UTF8.self).split(separator: "\"").enumerated().compactMap {
      // `[{`, then `key`, `:`, the key and `},{` repeatedly.
      $0 % 4 == 3 ? String($1) : nil
    }
  }

  /// Returns a change list as JSON.
  static func json(_ answer: BatchAnswer) -> String {
    var writer = JSONWriter()
    answer.write(to: &writer)
    let bytes = writer.finish()
    return String(decoding: bytes, as: UTF8.self)
  }
}

extension RowPage {
  /// The total number of rows; -1 if the page does not have it.
  var rowCount: Int {
    member("rowCount").flatMap { Int(String(decoding: $0, as: UTF8.self)) } ?? -1
  }

  /// The array of rows.
  var rows: [UInt8] { member("rows") ?? [] }

  /// Returns the value of a member as it is written.
  private func member(_ name: String) -> [UInt8]? {
    JSONPointer(Array("/\(name)".utf8))?.evaluate(in: text[...]).map { Array(text[$0]) }
  }
}

/// Returns the error that a call throws, or `nil`.
func refusal(_ body: () throws(ServiceError) -> Void) -> ServiceError? {
  do throws(ServiceError) {
    try body()
    return nil
  } catch {
    return error
  }
}
