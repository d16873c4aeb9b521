import Testing

/// The headers of the system's libraries, where they are missing.
struct HeaderTests {
  @Test(
    .enabled(if: Tool.isInstalled("clang"), "clang is not installed"),
    arguments: [
      ("CSQLite/CSQLite.h", "sqlite3.h", ["libsqlite3-dev", "sqlite-devel"]),
      ("CZlib/CZlib.h", "zlib.h", ["zlib1g-dev", "zlib-devel"]),
    ]
  )
  func `a missing header is told with the packages that have it`(
    shim: String,
    header: String,
    packages: [String]
  ) throws {
    let clang = try #require(Tool("clang"))
    let compile = ["-fsyntax-only", "-x", "c", "\(Tool.root)/Sources/\(shim)"]
    #expect(try clang.run(compile).status == 0)
    // Without the folders of the system there is no header.
    let ending = try clang.run(["-nostdinc"] + compile)
    #expect(ending.status != 0)
    #expect(ending.output.contains("error: \"\(header) is missing: install "))
    for package in packages { #expect(ending.output.contains(package)) }
    #expect(ending.output.contains("1 error generated"), "and nothing else: \(ending.output)")
  }
}
