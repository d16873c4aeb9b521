import Testing

/// Error messages for missing headers of system libraries.
struct HeaderTests {
  @Test(
    .enabled(if: Tool.isInstalled("clang"), "clang is not installed"),
    arguments: [
      ("CSQLite/CSQLite.h", "sqlite3.h", ["libsqlite3-dev", "sqlite-devel"]),
      ("CZlib/CZlib.h", "zlib.h", ["zlib1g-dev", "zlib-devel"]),
    ]
  )
  func `the error for a missing header names the packages that contain it`(
    shim: String,
    header: String,
    packages: [String]
  ) throws {
    let clang = try #require(Tool("clang"))
    let compile = ["-fsyntax-only", "-x", "c", "\(Tool.root)/Sources/\(shim)"]
    #expect(try clang.run(compile).status == 0)
    // Without the system's folders the header is missing.
    let ending = try clang.run(["-nostdinc"] + compile)
    #expect(ending.status != 0)
    #expect(ending.output.contains("error: \"\(header) is missing: install "))
    for package in packages { #expect(ending.output.contains(package)) }
    #expect(ending.output.contains("1 error generated"), "no other errors: \(ending.output)")
  }
}
