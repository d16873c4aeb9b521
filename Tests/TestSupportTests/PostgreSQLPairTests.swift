import TestSupport
import Testing

/// Tests of the pair of servers that tests of faults rely on.
@Suite(.enabled(if: PostgreSQLServer.programs != nil))
struct PostgreSQLPairTests {
  @Test func `a promoted standby has all commits, and gets a new standby`() throws {
    let pair = try PostgreSQLPair()
    try pair.sql("CREATE TABLE numbers (n int)")
    for number in 1...3 {
      try pair.sql("INSERT INTO numbers VALUES (\(number))")
      let place = pair.primaryPlace
      try pair.failOver()
      #expect(pair.primaryPlace == 1 - place)
      #expect(try pair.sql("SELECT count(*) FROM numbers") == "\(number)")
      try pair.sql("UPDATE numbers SET n = n + 1")
      try pair.makeStandby()
    }
    #expect(try pair.sql("SELECT sum(n) FROM numbers") == "\(6 + 3 * 3 - 3)")
  }
}
