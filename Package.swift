// swift-tools-version: 6.3
import PackageDescription

/// The settings of every target: Swift 6, warnings as errors, and `unsafe` where memory safety is not
/// checked.
let settings: [SwiftSetting] = [
  .swiftLanguageMode(.v6),
  .strictMemorySafety(),
  .treatAllWarnings(as: .error),
  .enableUpcomingFeature("ExistentialAny"),
  .enableUpcomingFeature("MemberImportVisibility"),
  .enableUpcomingFeature("InternalImportsByDefault"),
]

/// The settings of targets that take most of the time of the tests: optimized, with assertions.
let optimizedForTests =
  settings + [.unsafeFlags(["-O", "-assert-config", "Debug"], .when(configuration: .debug))]

/// The linker settings of programs: the Swift runtime is linked statically, so that they run without an
/// installation of Swift and call it directly.
let released: [LinkerSetting] = [
  .unsafeFlags(["-static-stdlib"], .when(platforms: [.linux], configuration: .release))
]

let package = Package(
  name: "tree-service",
  platforms: [.macOS(.v14), .iOS(.v17)],
  products: [
    .library(name: "TreeClient", targets: ["TreeClient"]),
    .library(name: "TreeEngine", targets: ["TreeEngine"]),
    .executable(name: "tree-server", targets: ["tree-server"]),
    .executable(name: "tree-bench", targets: ["tree-bench"]),
  ],
  targets: [
    // The modules, each after those that it depends on.
    .target(name: "CLinux"),
    // Loads libpq at run time, so that the build does not need it.
    .target(name: "CPostgres"),
    // Loads libcurl at run time.
    .target(name: "CCurl"),
    .systemLibrary(name: "CPrefetch"),
    .systemLibrary(name: "CSQLite", providers: [.apt(["libsqlite3-dev"])]),
    .systemLibrary(name: "CZlib", providers: [.apt(["zlib1g-dev"])]),
    .target(name: "JSON", swiftSettings: settings),
    .target(name: "HTTP", swiftSettings: settings),
    // Lifetimes: functions return spans of stored memory, for which Swift has no other syntax yet.
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
    // The description of the API and the files of TreeWeb, compiled into the program.
    .target(name: "CEmbedded"),
    .target(
      name: "TreeWeb",
      dependencies: ["CEmbedded"],
      exclude: ["client", "explorer"],
      swiftSettings: settings
    ),
    .target(
      name: "TreeAPI",
      dependencies: ["HTTP", "TreeDomain", "TreeWeb", "JSON"],
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

    // The client library for apps. It depends on Foundation only, which on Linux needs libcurl.
    .target(
      name: "TreeClient",
      dependencies: [.target(name: "CCurl", condition: .when(platforms: [.linux]))],
      swiftSettings: settings
    ),

    // The tests.
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
        "Composition", "HTTP", "HTTPServer", "TreeAPI", "TreeDomain", "TreeEngine", "TreeSessions",
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
