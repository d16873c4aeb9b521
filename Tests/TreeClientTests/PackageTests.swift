import Foundation
import TestSupport
import Testing

/// Packages of others that depend on this one, built and run as theirs would be.
@Suite(.serialized, .timeLimit(.minutes(30))) struct `A package of an app` {
  /// A way to depend on this package.
  enum Dependency: String, CaseIterable, Sendable {
    case path, tag
  }

  /// The programs of a page, without the first line of each block.
  private static func programs(in page: String) throws -> [String] {
    let path = "Sources/TreeClient/Documentation.docc/\(page).md"
    let text = try String(contentsOf: Repository.root.appending(path: path), encoding: .utf8)
    return text.split(separator: "```swift\n").dropFirst().compactMap { part in
      part.split(separator: "\n```").first.map(String.init)
    }
  }

  @Test(
    .enabled(if: Command.exists("swift") && Command.exists("git"), "swift or git is not installed"),
    arguments: Dependency.allCases
  )
  func `shows a live tree in 25 lines`(dependency: Dependency) async throws {
    let folder = try TemporaryFolder()
    let place = try Self.dependency(dependency, in: folder.path)
    let program = try #require(Self.programs(in: "TreeClient").first)
    #expect(program.split(separator: "\n", omittingEmptySubsequences: false).count <= 25)
    let service = try await Service()
    let app = "\(folder.path)/app"
    try Self.write(Self.manifest(place, of: [".executableTarget"]), to: "\(app)/Package.swift")
    try Self.write(
      program.replacing("http://127.0.0.1:8080", with: service.address),
      to: "\(app)/Sources/app/main.swift"
    )
    let ending = try Self.swift("run", app)
    #expect(ending.status == 0, "\(ending.output.suffix(4_000))")
    let first = "fruit\n  apple\n  pear\nstone\n"
    let second = "fruit\n  fig\n  apple\n  pear\nstone\n"
    // A row that was inserted may be shown before its content is read.
    let settled = ending.output.replacing("fruit\n…\n  apple\n  pear\nstone\n", with: "")
    #expect(settled.contains(first + second), "\(ending.output.suffix(1_000))")
    #expect(ending.output.hasSuffix("fruit\nstone\n"))
  }

  @Test(.enabled(if: Command.exists("swift"), "swift is not installed"))
  func `compiles with each recipe`() throws {
    let folder = try TemporaryFolder()
    let place = try Self.dependency(.path, in: folder.path)
    let programs = try ["Lists", "WithoutAView"].flatMap { try Self.programs(in: $0) }
    #expect(programs.count == 6)
    let app = "\(folder.path)/app"
    // The frameworks of Apple are modules of the app here.
    let stubs = #".target(name: "UIKit"), .target(name: "AppKit"), .target(name: "SwiftUI"),"#
    let manifest = Self.manifest(place, of: [".target", #""UIKit", "AppKit", "SwiftUI","#, stubs])
    try Self.write(manifest, to: "\(app)/Package.swift")
    try Self.write(AppleStubs.uiKit, to: "\(app)/Sources/UIKit/UIKit.swift")
    try Self.write(AppleStubs.appKit, to: "\(app)/Sources/AppKit/AppKit.swift")
    try Self.write(AppleStubs.swiftUI, to: "\(app)/Sources/SwiftUI/SwiftUI.swift")
    for (number, program) in programs.enumerated() {
      try Self.write(program, to: "\(app)/Sources/app/Recipe\(number).swift")
    }
    let ending = try Self.swift("build", app)
    #expect(ending.status == 0, "\(ending.output.suffix(4_000))")
  }

  /// Returns the manifest of an app.
  ///
  /// - Parameters:
  ///   - place: What names this package.
  ///   - parts: The kind of its target, and if need be, its other dependencies and other targets.
  private static func manifest(_ place: String, of parts: [String]) -> String {
    """
    // swift-tools-version: 6.0
    import PackageDescription
    let package = Package(
      name: "app", platforms: [.macOS(.v14)], dependencies: [\(place)],
      targets: [
        \(parts.dropFirst(2).joined())
        \(parts[0])(
          name: "app",
          dependencies: [
            \(parts.dropFirst().first ?? "")
            .product(name: "TreeClient", package: "tree-service"),
          ])
      ])
    """
  }

  /// Runs a command of the package manager, which keeps nothing outside of the app's folder.
  private static func swift(
    _ command: String,
    _ app: String
  ) throws -> (output: String, status: Int32) {
    let places = ["--cache-path", "\(app)/.cache", "--config-path", "\(app)/.config"]
    return try Command.run(
      ["swift", command, "--package-path", app, "--disable-sandbox"] + places
    )
  }

  /// Returns how a manifest names this package.
  private static func dependency(_ kind: Dependency, in folder: String) throws -> String {
    let root = Repository.root.path(percentEncoded: false)
    guard kind == .tag else { return #".package(name: "tree-service", path: "\#(root)")"# }
    let copy = "\(folder)/tree-service"
    let script = """
      set -e; mkdir "$1"; cd "$0"; cp -R Package.swift openapi.yaml Sources Tests "$1"; cd "$1"
      git init -q; git add .
      git -c user.name=a -c user.email=a@b -c core.hooksPath=/dev/null commit -q -m a
      git tag 1.0.0
      """
    let ending = try Command.run(["sh", "-c", script, root, copy])
    #expect(ending.status == 0, "\(ending.output)")
    return #".package(url: "file://\#(copy)", exact: "1.0.0")"#
  }

  /// Writes a file, and the folders around it.
  private static func write(_ text: String, to path: String) throws {
    let file = URL(filePath: path)
    try FileManager.default.createDirectory(
      at: file.deletingLastPathComponent(),
      withIntermediateDirectories: true
    )
    try Data(text.utf8).write(to: file)
  }
}
