// swift-tools-version:6.0
// The program that uses the generated Swift client; `.ci/generators` puts that beside it.
import PackageDescription

let package = Package(
  name: "client",
  dependencies: [.package(path: "../generated")],
  targets: [
    .executableTarget(
      name: "client",
      dependencies: [.product(name: "OpenAPIClient", package: "generated")]
    )
  ]
)
