import Foundation
import HTTP
import Testing
import TreeAPI
import TreeSessions
import TreeWeb

@Suite struct `Files for browsers` {
  /// A file with its path.
  struct Placed: Sendable, CustomTestStringConvertible {
    let path: String
    let file: WebFile
    var testDescription: String { path }
  }

  static let all =
    WebFile.client.map { Placed(path: "/client/\($0.name)", file: $0) }
    + WebFile.explorer.map { Placed(path: "/explorer/\($0.name)", file: $0) }
    + WebFile.explorer.prefix(1).map { Placed(path: "/explorer/", file: $0) }

  private let api = TreeAPI(service: SessionStore())

  private func get(
    _ target: String,
    _ fields: [(FieldName, String)] = [],
    from api: TreeAPI? = nil
  ) throws -> Response {
    var head = Fields()
    for (name, value) in fields { head.append(name, value) }
    let request = try Request(method: .get, target: target, fields: head, body: [])
    guard case .response(let response) = (api ?? self.api).respond(to: request) else {
      throw NoResponse()
    }
    return response
  }
  private struct NoResponse: Error {}

  private func text(_ name: FieldName, of response: Response) -> String? {
    response.fields.combinedValue(name).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test(arguments: all.map(\.path))
  func `are served whatever their queries, which their pages read`(path: String) throws {
    let plain = try get(path)
    for query in ["?tree=catalog", "?v=1&v=2", "?utm_source=x&offset=-1"] {
      let response = try get(path + query)
      #expect(response.status == .ok && response.body == plain.body, "\(query)")
    }
    for path in ["/", "/explorer"] { #expect(try get("\(path)?x=1").status == .found) }
    #expect(try get("/healthz?x=1").status == .badRequest)
  }

  @Test(arguments: all)
  func `are served as they are, and kept by their tags`(_ placed: Placed) throws {
    let (path, file) = (placed.path, placed.file)
    let response = try get(path)
    #expect(response.status == .ok && response.body == file.content)
    #expect(text(.contentType, of: response) == file.contentType)
    for tag in ["\"\(file.tag)\"", "\"\(file.tag)-gzip\"", "W/\"\(file.tag)\""] {
      let again = try get(path, [(.ifNoneMatch, tag)])
      #expect(again.status == .notModified && again.body.isEmpty, "\(tag)")
    }
    #expect(try get(path, [(.ifNoneMatch, "\"0\"")]).status == .ok)
  }

  private static let root = "/" + #filePath.split(separator: "/").dropLast(3).joined(separator: "/")
  private static let folder = root + "/Sources/TreeWeb"

  @Test func `are those of the repository`() throws {
    let files =
      WebFile.client.map { ($0, "\(Self.folder)/client/\($0.name)") }
      + WebFile.explorer.dropLast().map { ($0, "\(Self.folder)/explorer/\($0.name)") }
      + [(WebFile.apiDescription, "\(Self.root)/openapi.yaml")]
    for (file, path) in files {
      let content = try #require(FileManager.default.contents(atPath: path), "\(path)")
      #expect(file.content == Array(content), "\(path)")
    }
    #expect(text(.contentType, of: try get("/openapi.yaml")) == "application/yaml")
  }

  @Test func `have all modules of the explorer in one script, behind what they import`() throws {
    let script = try #require(WebFile.explorer.last)
    #expect(script.name == "explorer.js")
    let names = try FileManager.default.contentsOfDirectory(atPath: Self.folder + "/explorer")
    let modules =
      names.filter { $0.hasSuffix(".js") }.map { "explorer/\($0)" }
      + ["client/tree-client.js", "client/virtual-list.js"]
    #expect(modules.count > 10)
    let whole = String(decoding: script.content, as: UTF8.self)
    var starts: [String: String.Index] = [:], imports: [(of: String, name: String)] = []
    for module in modules {
      let source = try String(contentsOfFile: "\(Self.folder)/\(module)", encoding: .utf8)
      let name = String(module.split(separator: "/")[1])
      var lines: [Substring] = []
      for line in source.split(separator: "\n", omittingEmptySubsequences: false) {
        if line.hasPrefix("import {") {
          let path = try #require(line.split(separator: "\"").dropFirst().first)
          imports.append((name, String(try #require(path.split(separator: "/").last))))
        } else {
          lines.append(line.hasPrefix("export ") ? line.dropFirst("export ".count) : line)
        }
      }
      let part = lines.joined(separator: "\n")
      starts[name] = try #require(whole.range(of: part)?.lowerBound, "\(module) is left out")
    }
    for (name, imported) in imports {
      #expect(try #require(starts[imported]) < #require(starts[name]), "\(name): \(imported)")
    }
    let lines = whole.split(separator: "\n")
    #expect(!lines.contains { $0.hasPrefix("import ") || $0.hasPrefix("export ") })
  }

  @Test func `differ in their tags`() {
    let files = WebFile.client + WebFile.explorer
    #expect(Set(files.map(\.tag)).count == files.count)
    #expect(files.allSatisfy { !$0.content.isEmpty })
  }

  @Test(arguments: [
    "/client/nothing.js", "/client/package.json", "/client/..%2Fopenapi.yaml",
    "/explorer/nothing.js", "/explorer/tree-client.js", "/explorer/treegrid.js",
    "/explorer/..%2Fopenapi.yaml",
  ])
  func `have no others beside them`(_ path: String) throws {
    #expect(try get(path).status == .notFound)
  }

  @Test(arguments: all.filter { $0.path.hasPrefix("/explorer/") })
  func `of the explorer allow nothing from elsewhere`(_ placed: Placed) throws {
    let policy = try #require(
      text(FieldName("Content-Security-Policy"), of: try get(placed.path))
    )
    let parts = policy.split(separator: "; ").map(String.init)
    #expect(parts.first == "default-src 'none'" && parts.contains("frame-ancestors 'none'"))
    #expect(parts.contains("script-src 'self'") && !policy.contains("unsafe"))
  }

  @Test(arguments: ["/", "/explorer"])
  func `start at the root, and at the folder without its slash`(_ path: String) throws {
    let response = try get(path)
    #expect(response.status == .found && response.body.isEmpty)
    #expect(text(.location, of: response) == "explorer/")
  }

  @Test func `leave the explorer out where it is turned off`() throws {
    var options = TreeAPIOptions()
    options.explorer = false
    let api = TreeAPI(service: SessionStore(), options: options)
    for path in ["/", "/explorer", "/explorer/", "/explorer/explorer.css"] {
      #expect(try get(path, from: api).status == .notFound, "\(path)")
    }
    #expect(try get("/client/tree-client.js", from: api).status == .ok)
  }
}
