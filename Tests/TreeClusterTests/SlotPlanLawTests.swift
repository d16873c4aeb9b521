import TestSupport
import Testing
@testable import TreeCluster
import TreeStorage

/// Random instances, faults and clocks, and what must hold whatever happens.
struct SlotPlanLawTests {
  @Test(arguments: Seed.seeds(count: 10))
  func `no slot has two owners, and each has one soon after the faults`(seed: UInt64) throws {
    var cluster = ModelCluster(seed: seed)
    var random = SeededGenerator(seed: seed &+ 1)
    for number in 0..<random.number(in: 1...4) { cluster.start(address: "host:\(number)") }
    let end = Seed.operations(default: 120) * 1_000
    while cluster.now < end {
      if random.oneIn(40) { disturb(&cluster, &random) }
      cluster.step()
      try check(cluster, seed)
    }
    calm(&cluster)
    let calmed = cluster.now
    var served: Set<Int> = []
    while cluster.now < calmed + 20_000 {
      try run(&cluster, until: cluster.now + 100, seed)
      served.formUnion((0..<ModelCluster.slots).filter { !cluster.servers(of: $0).isEmpty })
    }
    #expect(served.count == ModelCluster.slots, "SEED=\(seed): only \(served) have owners")
    // The slots that are to move are released one a second, after a while.
    try run(&cluster, until: calmed + 50_000, seed)
    let moves = cluster.moves
    let owners = (0..<ModelCluster.slots).map { cluster.servers(of: $0) }
    #expect(owners.allSatisfy { $0.count == 1 }, "SEED=\(seed): \(owners)")
    try run(&cluster, until: calmed + 110_000, seed)
    #expect(cluster.moves == moves, "SEED=\(seed): slots go on moving")
    #expect((0..<ModelCluster.slots).map { cluster.servers(of: $0) } == owners, "SEED=\(seed)")
  }

  private func run(_ cluster: inout ModelCluster, until end: Int, _ seed: UInt64) throws {
    while cluster.now < end {
      cluster.step()
      try check(cluster, seed)
    }
  }

  private func check(_ cluster: ModelCluster, _ seed: UInt64) throws {
    for slot in 0..<ModelCluster.slots {
      let servers = cluster.servers(of: slot)
      try #require(servers.count <= 1, "SEED=\(seed) at \(cluster.now): \(slot) has \(servers)")
    }
  }

  private func disturb(_ cluster: inout ModelCluster, _ random: inout SeededGenerator) {
    let index = random.number(in: 0...(cluster.instances.count - 1))
    switch random.number(in: 0...6) {
    case 0: cluster.instances[index].pausedUntil = cluster.now + random.number(in: 100...15_000)
    case 1...2: cluster.instances[index].cutUntil = cluster.now + random.number(in: 100...15_000)
    case 3: cluster.database.jump += random.number(in: -20_000...20_000)
    case 4:
      // One instance is left, at least.
      guard cluster.instances.filter({ !$0.isDead && !$0.isLeaving }).count > 1 else { return }
      if random.oneIn(2) {
        cluster.instances[index].isDead = true
      } else {
        cluster.instances[index].isLeaving = true
      }
    case 5:
      guard cluster.instances.count < 8 else { return }
      let isAgain = random.oneIn(2)
      let number = isAgain ? index : cluster.instances.count
      cluster.start(address: isAgain ? cluster.instances[index].address : "host:\(number)")
    default:
      // Long-dead instances are forgotten.
      let clock = cluster.databaseClock
      cluster.database.instances = cluster.database.instances.filter {
        $0.value.until > clock - 60_000
      }
    }
  }

  private func calm(_ cluster: inout ModelCluster) {
    cluster.isFaulty = false
    for index in cluster.instances.indices {
      cluster.instances[index].pausedUntil = 0
      cluster.instances[index].cutUntil = 0
      if cluster.instances[index].isLeaving { cluster.instances[index].isDead = true }
    }
    if !cluster.instances.contains(where: { !$0.isDead }) { cluster.start(address: "host:last") }
  }

  @Test func `slots are spread, and few move when an instance comes`() {
    let members = (1...3).map { ClusterView.Member(id: $0, address: "10.0.0.\($0):8080") }
    var counts = [0, 0, 0, 0]
    var moved = 0
    for slot in 0..<64 {
      guard let before = SlotPlan.preferred(slot, Array(members.prefix(2))),
        let after = SlotPlan.preferred(slot, members)
      else { continue }
      counts[after] += 1
      #expect(after == before || after == 3)
      if after != before { moved += 1 }
    }
    #expect(counts.dropFirst().allSatisfy { 10...34 ~= $0 }, "\(counts)")
    #expect(moved == counts[3])
  }

  @Test func `hashes of ids never change`() {
    #expect(TreeSlots.hash(of: "".utf8) == 0xCBF2_9CE4_8422_2325)
    #expect(TreeSlots.hash(of: "foobar".utf8) == 0x8594_4171_F739_67E8)
    let slots = TreeSlots(count: 16)
    #expect(["shop", "a", "t_0"].map { slots.slot(of: $0.utf8) } == [1, 0, 5])
  }
}
