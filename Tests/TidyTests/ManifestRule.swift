/// The manifest depends on no package: the service stands on the toolchain and the C library alone.
enum ManifestRule {
  static func findings(in manifest: SourceText) -> [Finding] {
    manifest.code.indices.filter { manifest.code[$0].contains(".package(") }.map {
      manifest.finding(line: $0, "depends on a package")
    }
  }
}
