import Glibc
import TestSupport

/// A failure of an instance, of the database, or of the network between them.
enum ClusterFault: String, CaseIterable {
  case instanceKilled, instanceStopped, instanceDrained
  case connectionsCut, databaseParted, databaseSlow, databaseFull, databaseRefusing
  case databaseClockMoved, instanceClockMoved
  case primaryRestarted, primaryReplaced, primaryIsolated
  /// An instance cannot be reached by the others.
  case instancesParted

  /// Returns the faults that are possible with a number of instances.
  static func all(instances count: Int) -> [ClusterFault] {
    allCases.filter { fault in
      switch fault {
      case .instancesParted: count > 1
      case .databaseClockMoved, .instanceClockMoved: MovableClock.isAvailable
      default: true
      }
    }
  }

  /// Causes the fault, and repairs it.
  func happen(to deployment: Deployment, _ random: inout SeededGenerator) throws {
    let instance = random.choice(deployment.instances)
    let network = instance.database[deployment.pair.primaryPlace]
    switch self {
    case .instanceKilled:
      try instance.kill()
      try instance.start()
    case .instanceDrained:
      try instance.drain()
      try instance.start()
    case .instanceStopped:
      instance.signal(SIGSTOP)
      Self.wait(100...8_000, &random)
      instance.signal(SIGCONT)
    case .connectionsCut:
      for _ in 0..<random.number(in: 1...4) {
        network.cut()
        Self.wait(1...300, &random)
      }
    case .databaseParted: partDatabase(network, &random)
    case .databaseSlow:
      network.delay(.requests, milliseconds: random.number(in: 1...200))
      network.delay(.answers, milliseconds: random.number(in: 1...200))
      Self.wait(100...3_000, &random)
      network.heal()
    case .databaseFull:
      try deployment.pair.fillDisk(true)
      Self.wait(100...3_000, &random)
      try deployment.pair.fillDisk(false)
    case .databaseRefusing:
      try deployment.pair.refuseConnections(true)
      Self.wait(100...6_000, &random)
      try deployment.pair.refuseConnections(false)
    case .databaseClockMoved:
      try deployment.pair.moveClock(bySeconds: random.number(in: -100_000...100_000))
      Self.wait(0...3_000, &random)
    case .instanceClockMoved:
      // Idempotency keys are kept for less.
      try instance.clock.move(bySeconds: random.number(in: -100_000...100_000))
    case .primaryRestarted: try deployment.pair.restartPrimary()
    case .primaryReplaced:
      try deployment.pair.failOver()
      Self.wait(0...2_000, &random)
      try deployment.pair.makeStandby()
    case .primaryIsolated: try isolatePrimary(deployment, &random)
    case .instancesParted:
      instance.others?.part(.requests, .answers)
      Self.wait(100...8_000, &random)
      if random.oneIn(2) { instance.others?.cut() }
      instance.others?.heal()
    }
  }

  private func partDatabase(_ network: FaultyProxy, _ random: inout SeededGenerator) {
    switch random.number(in: 0...2) {
    case 0: network.part(.requests)
    case 1: network.part(.answers)
    default: network.part(.requests, .answers)
    }
    Self.wait(100...8_000, &random)
    if random.oneIn(2) { network.cut() }
    network.heal()
  }

  /// Isolates the running primary and promotes the standby. The old primary may be reachable again
  /// before it is stopped.
  private func isolatePrimary(
    _ deployment: Deployment,
    _ random: inout SeededGenerator
  ) throws {
    let network = deployment.pair.networks[deployment.pair.primaryPlace]
    network.part(.requests, .answers)
    Self.wait(0...3_000, &random)
    if random.oneIn(2) { network.cut() }
    try deployment.pair.promote()
    Self.wait(0...3_000, &random)
    if random.oneIn(2) {
      network.heal()
      Self.wait(0...3_000, &random)
    }
    try deployment.pair.makeStandby()
    network.heal()
  }

  private static func wait(
    _ milliseconds: ClosedRange<Int>,
    _ random: inout SeededGenerator
  ) {
    usleep(UInt32(random.number(in: milliseconds)) * 1_000)
  }
}
