import Dispatch
import Glibc
import Synchronization
import Testing

@testable import HTTPServer

/// Waking of an event loop for deferred answers.
@Suite struct LoopResourcesTests {
  private static let tokens = [3, 9, 4].map { EventToken(generation: 7, descriptor: $0) }

  /// Returns the epoll instance of the resources, which reports their wake-up descriptor.
  private static func epoll(of resources: LoopResources) -> Epoll {
    let epoll = Epoll(descriptor: resources.epoll.number, capacity: 4)
    let isWatched = epoll.addReader(EventToken(permanent: resources.wakeup.number))
    #expect(isWatched)
    return epoll
  }

  @Test func `an awake loop sees woken connections before it sleeps`() throws {
    let resources = try LoopResources()
    var epoll = Self.epoll(of: resources)
    resources.wake(Self.tokens[0])
    epoll.wait(milliseconds: 0)
    let reported = epoll.count
    #expect(reported == 0 && resources.hasWoken && !resources.beginSleep())
    var woken: [EventToken] = []
    resources.popWoken(into: &woken)
    #expect(woken == [Self.tokens[0]])
    #expect(!resources.hasWoken && resources.beginSleep())
  }

  @Test func `only the first wake-up signals a sleeping loop`() throws {
    let resources = try LoopResources()
    var epoll = Self.epoll(of: resources)
    #expect(resources.beginSleep())
    for token in Self.tokens { resources.wake(token) }
    epoll.wait(milliseconds: 0)
    let reported = epoll.count
    #expect(reported == 1 && resources.hasWoken)
    Syscalls.eventClear(resources.wakeup.number)
    var woken: [EventToken] = []
    resources.popWoken(into: &woken)
    #expect(woken == Self.tokens && resources.beginSleep())
    resources.endSleep()
    resources.wake(Self.tokens[0])
    epoll.wait(milliseconds: 0)
    let reportedAwake = epoll.count
    #expect(reportedAwake == 0)
  }

  @Test func `no concurrent wake-up is lost`() throws {
    let resources = try LoopResources()
    var epoll = Self.epoll(of: resources)
    let count = 20_000
    let taken = Atomic(0)
    DispatchQueue.global().async { [resources] in
      for number in 0..<count {
        while taken.load(ordering: .acquiring) < number { sched_yield() }
        resources.wake(EventToken(generation: UInt32(number + 1), descriptor: 5))
      }
    }
    var isLost = false
    while case let seen = taken.load(ordering: .relaxed), seen < count {
      if resources.beginSleep() {
        epoll.wait(milliseconds: isLost ? 0 : 10_000)
        isLost = isLost || epoll.count == 0
        resources.endSleep()
        Syscalls.eventClear(resources.wakeup.number)
      }
      var woken: [EventToken] = []
      resources.popWoken(into: &woken)
      taken.store(seen + woken.count, ordering: .releasing)
    }
    #expect(!isLost)
  }
}
