import Foundation
import HTTP
import TestSupport
import Testing

/// The metrics and the files of `Config/prometheus`, as Prometheus reads them.
struct PrometheusTests {
  private static let folder = Tool.root + "/Config/prometheus"

  private func figures() throws -> (text: String, exposition: Exposition) {
    let program = try Program(["--port", "0"])
    let access = SocketAccess(port: try program.waitForPort())
    #expect(try access.send(Ask(.post, "/v1/trees", "{}")).status == 201)
    let text = try access.send(Ask(.get, "/metrics")).text
    return (text, try Exposition(text))
  }

  @Test func `the metrics cover the process, the disk and the waits`() throws {
    let samples = try figures().exposition.samples
    for name in [
      "process_cpu_seconds_total", "process_open_fds", "process_max_fds",
      "process_resident_memory_bytes", "process_virtual_memory_bytes", "process_start_time_seconds",
      "tree_server_storage_file_bytes", "tree_server_storage_log_bytes",
      "tree_server_storage_free_bytes",
    ] { #expect(try #require(samples[name], "\(name)") > 0, "\(name)") }
    #expect(samples["tree_server_follower_resets_total"] == 0)
    #expect(samples["tree_server_tree_wait_seconds_sum"] != nil)
    let (open, most) = (samples["process_open_fds"] ?? 0, samples["process_max_fds"] ?? 0)
    #expect(10..<most ~= open)
    let (resident, all) = ("process_resident_memory_bytes", "process_virtual_memory_bytes")
    #expect(samples[resident] ?? 0 < samples[all] ?? 0)
  }

  @Test func `alerts and the metrics page name existing metrics`() throws {
    let families = Set(try figures().exposition.families)
    let path = Tool.root + "/Sources/Composition/Documentation.docc/Metrics.md"
    let page = try String(contentsOfFile: path, encoding: .utf8)
    let alerts = try String(contentsOfFile: Self.folder + "/alerts.yml", encoding: .utf8)
    let named = (alerts + page).matches(of: #/\b(?:tree_server|process)_[a-z_]*[a-z]/#)
      .map { String($0.output) }
    #expect(named.count > 10)
    for name in named {
      let family = ["_bucket", "_sum", "_count"].reduce(name) { name, suffix in
        name.hasSuffix(suffix) ? String(name.dropLast(suffix.count)) : name
      }
      #expect(families.contains(family), "\(name)")
    }
    for family in families {
      let name = family.hasPrefix("tree_server_") ? family.dropFirst(12) : family[...]
      #expect(page.contains("`\(name)`"), "the page has no \(family)")
    }
  }

  @Test(.enabled(if: Tool.isInstalled("promtool"), "promtool is not installed"))
  func `promtool accepts the metrics, the rules and the configuration`() throws {
    let promtool = try #require(Tool("promtool"))
    let metrics = try promtool.run(["check", "metrics"], input: try figures().text)
    #expect(metrics.status == 0 && metrics.output == "", "\(metrics.output)")
    let rules = try promtool.run(["check", "rules", Self.folder + "/alerts.yml"])
    #expect(rules.status == 0, "\(rules.output)")
    // The configuration requires the key file to exist.
    let folder = try TemporaryFolder()
    try folder.write([], to: "key")
    for name in ["alerts.yml", "prometheus.yml"] {
      let text = try String(contentsOfFile: "\(Self.folder)/\(name)", encoding: .utf8)
      let there = text.replacing("/etc/prometheus/tree-server.key", with: folder.path + "/key")
      try folder.write(Array(there.utf8), to: name)
    }
    let configuration = try promtool.run(["check", "config", folder.path + "/prometheus.yml"])
    #expect(configuration.status == 0, "\(configuration.output)")
    #expect(configuration.output.contains("1 rule files found"))
  }
}
