/// Finds package dependencies. The service uses the toolchain and libraries of the system only.
enum ManifestRule {
  static func findings(in manifest: SourceText) -> [Finding] {
    manifest.code.indices.filter { manifest.code[$0].contains(".package(") }.map {
      manifest.finding(line: $0, "depends on a package")
    }
  }
}
