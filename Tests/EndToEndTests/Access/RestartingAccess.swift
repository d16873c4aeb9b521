import TreeAPI
import TreeDomain
import TreeSessions
import TreeStorage

/// A transport to a service that is restarted from its storage before every n-th request.
final class RestartingAccess: Access {
  private let storage: any TreeStorage
  private let period: Int
  private let limits: SessionLimits
  private var access: RouterAccess
  private var count = 0

  init(
    every period: Int,
    over storage: any TreeStorage = MemoryStorage(),
    limits: SessionLimits = SessionLimits()
  ) throws {
    self.period = period
    self.storage = storage
    self.limits = limits
    access = try RouterAccess(api: TreeAPI(service: Self.start(storage, limits)))
  }

  func send(_ ask: Ask) throws -> Answer {
    count += 1
    if count % period == 0 {
      access = try RouterAccess(api: TreeAPI(service: Self.start(storage, limits)))
    }
    return try access.send(ask)
  }

  private static func start(
    _ storage: any TreeStorage,
    _ limits: SessionLimits
  ) throws -> SessionStore {
    try SessionStore(limits: limits, storage: storage, clock: { 1_000 })
  }
}
