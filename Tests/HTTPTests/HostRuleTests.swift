import Testing

@testable import HTTP

@Suite struct `Hosts that requests may name` {
  private static let addresses = [
    "1.2.3.4", "0.0.0.0", "255.255.255.255:80", "[::2]", "[fe80::1]:8080", "[::ffff:1.2.3.4]",
    "126.127.0.1", "128.0.0.1", "0.0.0.127",
  ]
  private static let loopback = [
    "", "localhost", "LocalHost:1", "127.0.0.1", "127.9.9.9:", "[::1]",
  ]
  /// Names that an attacker may control, some of which look like addresses.
  private static let names = [
    "evil.test", "localhost.evil", "a.localhost", "localhost.", "1.2.3.4.evil", "1.2.3",
    "1.2.3.4.5",
    "1.2.3.256", "1.2.3.04", "1.2.3.", ".1.2.3.4", "1..2.3", "0x7f.0.0.1", "2130706433", "127.0.1",
    "127.0.0.1.evil", "127.0.0.256", "99999999999999999999.0.0.1", "a.trees.example",
  ]

  private func expect(_ rule: HostRule, toAllow isAllowed: Bool, _ hosts: [String]) {
    for host in hosts { #expect(rule.allows(Array(host.utf8)[...]) == isAllowed, "\(host)") }
  }

  @Test func `addresses and listed names are allowed`() {
    let rule = HostRule.addresses(and: ["trees.example"])
    let listed = ["trees.example", "TREES.Example:1"]
    expect(rule, toAllow: true, Self.addresses + Self.loopback + listed)
    expect(rule, toAllow: false, Self.names)
    expect(.addresses(), toAllow: false, Self.names + ["trees.example"])
  }

  @Test func `loopback and listed names are allowed`() {
    let rule = HostRule.loopback(and: ["trees.example", "1.2.3.4"])
    expect(rule, toAllow: true, Self.loopback + ["trees.example", "1.2.3.4:80"])
    expect(rule, toAllow: false, Self.names + Self.addresses.filter { $0 != "1.2.3.4" })
  }

  @Test func `every host is allowed`() {
    expect(.any, toAllow: true, Self.names + Self.addresses + Self.loopback)
  }

  @Test func `a name has no port and is not a pattern`() {
    for name in ["a", "a.example", "127.0.0.1", "[::1]"] { #expect(HostRule.isName(name)) }
    for text in [
      "", "a:1", "a:", "[::1]:1", "http://a", "a/b", "a b", "a,b", "[::1", "*", "*.a", "*:80",
    ] {
      #expect(!HostRule.isName(text))
    }
  }
}
