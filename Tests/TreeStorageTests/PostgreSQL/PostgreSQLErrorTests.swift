import TestSupport
import Testing
import TreeDomain

@testable import TreeStorage

/// Errors of a server, and what is said about them.
@Suite(.serialized, .enabled(if: PostgreSQLServer.programs != nil))
struct PostgreSQLErrorTests {
  private static let tree = TreeNumber(1)
  private let server: PostgreSQLServer
  private let database: String

  init() throws {
    server = try #require(PostgreSQLServer.shared)
    database = try server.makeDatabase()
  }

  /// Has each insertion of an entry fail while a condition holds.
  private func fail(with state: String, while condition: String) throws {
    _ = try server.sql(
      """
      CREATE SEQUENCE calls;
      CREATE OR REPLACE FUNCTION fail() RETURNS trigger LANGUAGE plpgsql AS $$
      BEGIN
        IF \(condition) THEN RAISE EXCEPTION 'no' USING ERRCODE = '\(state)'; END IF;
        RETURN NEW;
      END $$;
      CREATE TRIGGER fail BEFORE INSERT ON tree_service_00.entries
        FOR EACH ROW EXECUTE FUNCTION public.fail()
      """,
      in: database
    )
  }

  @Test func `a full disk is told as one, and what follows is taken`() throws {
    let instance = try OneSlot(server.uri(of: database))
    let storage = instance.storage
    try storage.commit([.makeTree(sample(1, "a"))])
    try fail(with: "53100", while: "NEW.seq = 1 AND nextval('public.calls') = 1")
    #expect(throws: StorageError.full("no")) {
      try storage.commit([
        .setClock(ClockReading(seconds: 1, wallSeconds: 2)), .append(sample(1), to: Self.tree),
      ])
    }
    #expect(try storage.clockReading() == nil)
    try storage.probe()
    try storage.commit([.append(sample(1), to: Self.tree)])
    #expect(try storage.allEntries(of: 1) == [sample(1)])
  }

  @Test(arguments: ["40001", "40P01"])
  func `a conflict is tried again`(state: String) throws {
    let instance = try OneSlot(server.uri(of: database))
    let storage = instance.storage
    try storage.commit([.makeTree(sample(1, "a"))])
    try fail(with: state, while: "nextval('public.calls') % 3 > 0")
    for number in 1...3 { try storage.commit([.append(sample(number), to: Self.tree)]) }
    #expect(try storage.allEntries(of: 1).map(\.number) == [1, 2, 3])
  }

  @Test func `a server that cannot be reached is a failure`() throws {
    #expect(throws: StorageError.self) {
      try OneSlot("postgresql://me:secret@127.0.0.1:1/none")
    }
    _ = try server.sql("ALTER DATABASE \(database) SET default_transaction_read_only = on")
    do throws(StorageError) {
      _ = try OneSlot(server.uri(of: database))
      Issue.record("a database that is read only was opened")
    } catch {
      guard case .failed(let reason) = error else { throw error }
      #expect(reason.contains("read-only"))
    }
  }

  @Test func `another format is refused and left alone`() throws {
    _ = try OneSlot(server.uri(of: database))
    _ = try server.sql("UPDATE tree_service.meta SET value = 3 WHERE key = 'format'", in: database)
    do throws(StorageError) {
      _ = try OneSlot(server.uri(of: database))
      Issue.record("another format was opened")
    } catch {
      #expect(error.reason.contains("format 3, and this program reads format 1"))
    }
  }

  @Test func `what was damaged is told, and the rest is read`() throws {
    let instance = try OneSlot(server.uri(of: database))
    let storage = instance.storage
    for number in 1...2 {
      let tree = TreeNumber(number)
      let snapshot = sample(upTo: 1, of: number)
      try storage.commit([.makeTree(sample(number, "t\(number)")), .append(sample(1), to: tree)])
      try storage.commit([.addPart([1, 2], index: 0, of: snapshot)])
      try storage.commit([.finishSnapshot(sample(upTo: 1, of: number, parts: 1))])
      for entry in 2...4 { try storage.commit([.append(sample(entry), to: tree)]) }
    }
    #expect(try storage.findDamage() == [])
    _ = try server.sql(
      """
      UPDATE tree_service_00.entries SET body = '\\x00' WHERE tree_no = 1 AND seq = 3;
      UPDATE tree_service_00.entries SET revision = 7 WHERE tree_no = 1 AND seq = 4;
      UPDATE tree_service_00.parts SET body = '\\x0103' WHERE snapshot = 1
      """,
      in: database
    )
    #expect(throws: StorageError.self) { try storage.entries(of: Self.tree, after: 2, bytes: 9) }
    #expect(throws: StorageError.self) { try storage.parts(of: 1) }
    #expect(try storage.sharedTrees().map(\.isDamaged) == [true, false])
    #expect(try storage.parts(of: 2) == [[1, 2]])
    _ = try server.sql("DELETE FROM tree_service_00.entries WHERE seq = 2", in: database)
    #expect(throws: StorageError.self) {
      try storage.entries(of: TreeNumber(2), after: 1, bytes: 9)
    }
    #expect(try storage.entries(of: TreeNumber(2), after: 2, bytes: 9).count == 2)
  }

  @Test func `reads of a moment see what was there, whatever is written`() throws {
    let instance = try OneSlot(server.uri(of: database))
    let storage = instance.storage
    try storage.commit([.makeTree(sample(1, "a")), .append(sample(1), to: Self.tree)])
    var counts: [Int] = []
    try storage.reading {
      for number in 2...3 {
        counts.append((try? storage.allEntries(of: 1).count) ?? -1)
        try? storage.commit([.append(sample(number), to: Self.tree)])
      }
    }
    #expect(counts == [1, 1])
    #expect(try storage.allEntries(of: 1).count == 3)
  }
}
