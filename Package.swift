// swift-tools-version: 6.3
import PackageDescription

/// Every target is held to the same: Swift 6, no warning, and `unsafe` written where something is.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// What tests spend much of their time in is optimized for them, too, with its assertions kept.
let optimizedForTests =
  settings + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// What is released needs no Swift on the machine it runs on; and calls into the library of Swift, of
/// which a request makes hundreds, lead there at once.
let released: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))
]

let package = Package(
  name: "tree-service",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "TreeClient", targets: ["TreeClient"]),
    .executable(name: "tree-server", targets: ["tree-server"]),
    .executable(name: "tree-bench", targets: ["tree-bench"]),
  ],
  targets: [
    // The rooms, from those that know nobody up to those that wire the others.
    .target(name: "CLinux"),
    // Loads the library of PostgreSQL's clients where it is used, and needs nothing to be built.
    .target(name: "CPostgres"),
    .systemLibrary(name: "CPrefetch"),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "JSON", swiftSettings: settings),
    .target(name: "HTTP", swiftSettings: settings),
    // Spans of what it keeps are given out by functions, for which there is no other syntax yet.
    .target(
      name: "TreeEngine",
      dependencies: ["CPrefetch"],
      swiftSettings: settings + [.enableExperimentalFeature("Lifetimes")]
    ),
    .target(name: "Coding", dependencies: ["CZlib"], swiftSettings: settings),
    .target(
      name: "HTTPServer",
      dependencies: ["HTTP", "Coding", "CLinux"],
      swiftSettings: settings
    ),
    .target(name: "TreeDomain", dependencies: ["TreeEngine", "JSON"], swiftSettings: settings),
    .target(
      name: "TreeStorage",
      dependencies: ["TreeDomain", "JSON", "CSQLite", "CPostgres", "CZlib", "CLinux"],
      swiftSettings: settings
    ),
    .target(
      name: "TreeSessions",
      dependencies: ["TreeDomain", "TreeEngine", "JSON"],
      swiftSettings: settings
    ),
    .target(
      name: "TreeWeb",
      exclude: ["client/package.json", "explorer/screenshot.png"],
      resources: [
        .embedInCode("client/tree-client.js"), .embedInCode("client/tree-client.d.ts"),
        .embedInCode("client/outbox.js"), .embedInCode("client/outbox.d.ts"),
        .embedInCode("client/ag-grid.js"), .embedInCode("client/react.js"),
        .embedInCode("client/virtual-list.js"), .embedInCode("client/example.html"),
        .embedInCode("explorer/index.html"), .embedInCode("explorer/explorer.css"),
        .embedInCode("explorer/explorer.js"), .embedInCode("explorer/treegrid.js"),
        .embedInCode("explorer/columns.js"), .embedInCode("explorer/keyboard.js"),
        .embedInCode("explorer/edits.js"), .embedInCode("explorer/drag.js"),
        .embedInCode("explorer/finder.js"), .embedInCode("explorer/inspector.js"),
        .embedInCode("explorer/start.js"), .embedInCode("explorer/convert.js"),
        .embedInCode("explorer/sample.js"), .embedInCode("explorer/messages.js"),
        .embedInCode("explorer/surroundings.js"), .embedInCode("explorer/opening.js"),
      ],
      swiftSettings: settings
    ),
    .target(
      name: "TreeAPI",
      dependencies: ["HTTP", "TreeDomain", "TreeWeb", "JSON"],
      // A link to the file at the root: the program carries its own description.
      resources: [.embedInCode("openapi.yaml")],
      swiftSettings: settings
    ),
    .target(
      name: "TreeCluster",
      dependencies: ["TreeAPI", "TreeDomain", "TreeSessions", "TreeStorage"],
      swiftSettings: settings
    ),
    .target(
      name: "Composition",
      dependencies: [
        "HTTP", "HTTPServer", "JSON", "TreeAPI", "TreeCluster", "TreeDomain", "TreeEngine",
        "TreeSessions", "TreeStorage", "CLinux",
      ],
      swiftSettings: settings
    ),
    .executableTarget(
      name: "tree-server",
      dependencies: ["Composition"],
      swiftSettings: settings,
      linkerSettings: released
    ),
    .executableTarget(
      name: "tree-bench",
      dependencies: [
        "Composition", "HTTP", "HTTPServer", "JSON", "TreeDomain", "TreeEngine", "TreeSessions",
        "TreeStorage", "CSQLite", "CLinux",
      ],
      exclude: ["README.md"],
      swiftSettings: settings,
      linkerSettings: released
    ),

    // For apps: it knows none of the above, and needs nothing but Foundation.
    .target(name: "TreeClient", swiftSettings: settings),

    // The tests, a folder a target.
    .target(name: "TestSupport", path: "Tests/TestSupport", swiftSettings: optimizedForTests),
    .testTarget(name: "TestSupportTests", dependencies: ["TestSupport"], swiftSettings: settings),
    .target(
      name: "FuzzTargets",
      dependencies: ["HTTP", "JSON", "TreeDomain", "TreeEngine"],
      path: "Tests/FuzzTargets",
      swiftSettings: settings
    ),
    .testTarget(
      name: "FuzzTargetsTests",
      dependencies: ["FuzzTargets", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "CodingTests",
      dependencies: ["Coding", "CZlib", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(name: "JSONTests", dependencies: ["JSON", "TestSupport"], swiftSettings: settings),
    .testTarget(name: "HTTPTests", dependencies: ["HTTP", "TestSupport"], swiftSettings: settings),
    .testTarget(
      name: "HTTPServerTests",
      dependencies: ["HTTP", "HTTPServer", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "TreeEngineTests",
      dependencies: ["TreeEngine", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "TreeDomainTests",
      dependencies: ["TreeDomain", "TreeEngine", "JSON", "TestSupport"],
      swiftSettings: settings
    ),
    .target(name: "CFaults", path: "Tests/CFaults"),
    .testTarget(
      name: "TreeStorageTests",
      dependencies: ["TreeStorage", "TreeDomain", "TestSupport", "CFaults"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "TreeSessionsTests",
      dependencies: [
        "CLinux", "TreeSessions", "TreeStorage", "TreeDomain", "TreeEngine", "JSON", "TestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "TreeAPITests",
      dependencies: [
        "TreeAPI", "TreeSessions", "TreeDomain", "TreeEngine", "HTTP", "JSON", "TestSupport",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "TreeClusterTests",
      dependencies: ["TreeCluster", "TreeStorage", "TestSupport"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "CompositionTests",
      dependencies: [
        "Composition", "HTTP", "HTTPServer", "TreeAPI", "TreeDomain", "TreeSessions",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "EndToEndTests",
      dependencies: [
        "tree-server", "TestSupport", "HTTP", "HTTPServer", "TreeAPI", "TreeClient", "TreeDomain",
        "TreeSessions", "TreeEngine", "TreeStorage",
      ],
      swiftSettings: settings
    ),
    .testTarget(
      name: "TreeWebTests",
      dependencies: ["TreeWeb", "TreeAPI", "TreeSessions", "HTTP", "tree-server"],
      exclude: ["node", "vectors"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "TreeClientTests",
      dependencies: ["TreeClient", "TestSupport", "tree-server"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "tree-benchTests",
      dependencies: ["tree-bench", "tree-server"],
      swiftSettings: settings
    ),
    .testTarget(
      name: "TidyTests",
      dependencies: ["HTTP", "TreeAPI"],
      swiftSettings: optimizedForTests
    ),
  ]
)
