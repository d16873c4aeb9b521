import Testing
import TreeStorage

/// The addresses of databases, which may have passwords in them.
struct AddressTests {
  @Test(arguments: [
    ("postgresql://me:secret@host:5432/trees", "postgresql://me:***@host:5432/trees"),
    ("postgresql://me:se@cret:x@host/trees", "postgresql://me:***@host/trees"),
    ("postgres://me@host/trees", "postgres://me@host/trees"),
    ("postgresql://host:5432/trees", "postgresql://host:5432/trees"),
    ("postgresql:///trees?host=/run&password=secret", "postgresql:///trees?host=/run&password=***"),
    ("postgresql://h/t?sslpassword=secret&port=1", "postgresql://h/t?sslpassword=***&port=1"),
    ("postgresql://h/t?pass%77ord=secret", "postgresql://h/t?pass%77ord=***"),
    ("postgresql://a:x@h1:1,h2:2/t", "postgresql://a:***@h1:1,h2:2/t"),
    ("sqlite:data", "sqlite:data"),
  ])
  func `a password is never shown`(uri: String, shown: String) {
    #expect(PostgreSQLStorage.masked(uri) == shown)
  }

  @Test func `a connection URI is known by its beginning`() {
    #expect(PostgreSQLStorage.isAddress("postgresql://host/trees"))
    #expect(PostgreSQLStorage.isAddress("postgres://host/trees"))
    #expect(!PostgreSQLStorage.isAddress("sqlite:data"))
  }
}
