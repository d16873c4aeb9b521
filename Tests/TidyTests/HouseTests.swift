import Foundation
import HTTP
import Testing
import TreeAPI

/// Checks the repository against the rules.
@Suite struct `The repository follows its rules` {
  @Test func `the sources are found`() {
    #expect(Repository.sources.contains { $0.path == "Tests/TidyTests/HouseTests.swift" })
    #expect(Repository.sources.contains { $0.path == "Sources/Composition/Configuration.swift" })
  }

  @Test func `each module imports only what the table allows`() {
    expectNone(Repository.sources.flatMap(ImportRule.findings))
  }

  @Test func `files, functions and lines are short`() {
    expectNone(Repository.sources.flatMap(LengthRule.findings))
    expectNone(LengthRule.medianFindings(in: Repository.sources))
  }

  @Test func `banned words are not written`() {
    expectNone(Repository.sources.flatMap(BannedWordsRule.findings))
  }

  @Test func `fields of optional values are set by methods`() {
    expectNone(Repository.sources.flatMap(OptionalFieldRule.findings))
  }

  @Test func `unsafe code is in the listed files only`() {
    expectNone(Repository.sources.flatMap(UnsafeRule.findings))
  }

  @Test func `every listed file exists and has unsafe code`() {
    for path in UnsafeRule.allowed.keys {
      let source = Repository.sources.first { $0.path == path }
      #expect(source?.code.contains { $0.hasWord("unsafe") } == true, "\(path)")
    }
  }

  @Test func `files are named after their declarations`() {
    expectNone(Repository.sources.flatMap(FileNameRule.findings))
  }

  @Test func `no type is spread over many files`() {
    expectNone(SpreadRule.findings(in: Repository.sources))
  }

  @Test func `sessions name each operation in the files for operations only`() {
    let files = Repository.sources.filter { source in
      source.path.hasPrefix("Sources/TreeSessions/")
        && source.code.contains { $0.contains(#/[ (]\.(clearSelection|renameSection)\b/#) }
    }
    let expected = ["Operation+Apply", "ViewEditing"]
    let paths = Set(expected.map { "Sources/TreeSessions/Operations/\($0).swift" })
    #expect(Set(files.map(\.path)) == paths)
  }

  @Test func `only products and inlined code are public`() {
    expectNone(Repository.sources.flatMap(AccessRule.findings))
  }

  @Test func `every exception of the rule for access has public code`() {
    for path in AccessRule.files.keys {
      let source = Repository.sources.first { $0.path == path }
      #expect(source?.code.contains(where: AccessRule.isPublic) == true, "\(path)")
    }
    for module in AccessRule.modules.keys {
      let sources = Repository.sources.filter { $0.target == module }
      #expect(sources.contains { $0.code.contains(where: AccessRule.isPublic) }, "\(module)")
    }
  }

  @Test func `what a module offers to others has a comment`() {
    expectNone(Repository.sources.flatMap(CommentRule.documentationFindings))
  }

  @Test func `functions that the engine offers state their complexity`() {
    expectNone(Repository.sources.flatMap(CommentRule.complexityFindings))
  }

  @Test func `doc comments begin with a verb or a noun phrase`() {
    expectNone(Repository.sources.flatMap(CommentRule.openingFindings))
  }

  @Test func `sentences of comments have at most 30 words`() {
    expectNone(Repository.sources.flatMap(CommentRule.sentenceFindings))
  }

  @Test func `state that files share has a comment`() {
    expectNone(Repository.sources.flatMap(CommentRule.stateFindings))
  }

  @Test func `fields of doc comments have one form`() {
    expectNone(Repository.sources.flatMap(CommentRule.fieldFindings))
  }

  @Test func `every reason to refuse a request has a source`() {
    let path = "Sources/HTTP/RequestRejection.swift"
    #expect(Repository.sources.contains { $0.path == path })
    expectNone(Repository.sources.flatMap(CommentRule.rejectionFindings))
  }

  @Test func `the README's map names every module`() throws {
    let readme = try #require(Repository.text(of: "README.md"))
    expectNone(CodeMapRule.findings(readme: readme, targets: Repository.targets))
  }

  @Test func `there is no dependency on a package`() throws {
    let manifest = try #require(Repository.text(of: "Package.swift"))
    expectNone(ManifestRule.findings(in: SourceText(path: "Package.swift", text: manifest)))
  }

  @Test func `the API's description is complete`() throws {
    let scan = OpenAPIScan(try #require(Repository.text(of: "openapi.yaml")))
    #expect(scan.operations.count > 20)
    expectNone(OpenAPIRule.findings(scan))
  }

  @Test func `generators of clients understand the API's description`() throws {
    let description = try #require(Repository.text(of: "openapi.yaml"))
    expectNone(GeneratorRule.findings(in: description))
  }

  @Test func `the API's description and the API have the same routes, in the same order`() throws {
    let scan = OpenAPIScan(try #require(Repository.text(of: "openapi.yaml")))
    let served = TreeAPI.routes.map { "\($0.method.rawValue) \($0.template)" }
    expectNone(RouteRule.findings(scan, served: served))
    #expect(served == scan.operations.map { "\($0.method.uppercased()) \($0.path)" })
    let parameters = zip(served, TreeAPI.routes.map(\.parameters))
    expectNone(RouteRule.findings(scan, parameters: Dictionary(uniqueKeysWithValues: parameters)))
    let schemes = zip(served, TreeAPI.routes.map(\.schemes))
    expectNone(RouteRule.findings(scan, schemes: Dictionary(uniqueKeysWithValues: schemes)))
    let statuses = zip(served, TreeAPI.routes.map(\.statuses))
    expectNone(RouteRule.findings(scan, statuses: Dictionary(uniqueKeysWithValues: statuses)))
  }

  @Test(arguments: SchemaRule.pairs)
  func `the API's description and the code have the same names`(pair: SchemaRule.Pair) throws {
    let scan = OpenAPIScan(try #require(Repository.text(of: "openapi.yaml")))
    let sources = Repository.sources.filter(\.isProduct)
    #expect(!SchemaRule.names(in: pair.code, sources).isEmpty)
    expectNone(SchemaRule.findings(pair.code, pair.place, scan, sources: sources))
  }

  @Test func `the formatter has no findings`() throws {
    let output = try lint(["Sources", "Tests"])
    #expect(output.isEmpty, "\(output)")
  }

  @Test func `the formatter finds bad format`() throws {
    let folder = FileManager.default.temporaryDirectory.appending(path: UUID().uuidString)
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(at: folder) }
    let file = folder.appending(path: "A.swift")
    try Data("let  a=1\n".utf8).write(to: file)
    #expect(try lint([file.path()]).contains("A.swift:1:"))
  }
}
