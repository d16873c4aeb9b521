import Glibc
import TreeDomain
import TreeStorage

/// A tree on disk: its first page after a restart, and the cost of a snapshot for writes and
/// reads.
///
/// The tree is loaded from all its journal entries, and from a snapshot.
enum ReopeningBenchmark {
  static var benchmark: Benchmark {
    Benchmark(name: "reopening", smallSize: 1_000, largeSize: 1_000_000) { size in
      let folder = ScratchFolder()
      let session = make(in: folder, size: size)
      let imported = firstPage("by its import", of: session, in: folder, size: size)
      let beside = measureSnapshot(of: session, in: folder, size: size)
      return [imported] + beside
        + [firstPage("by its snapshot", of: session, in: folder, size: size)]
    }
  }

  private static func make(in folder: borrowing ScratchFolder, size: Int) -> SessionID {
    let service = LocalService(folder: folder.path)
    return LeafInserter(service, size: size, tree: "large").session
  }

  private static func firstPage(
    _ label: String,
    of session: SessionID,
    in folder: borrowing ScratchFolder,
    size: Int
  ) -> Measurement {
    let service = LocalService(folder: folder.path)
    let reader = PageReader(service.port, session, rows: size)
    return Measurement("first page, \(label)", size: size, rounds: 1, operations: 1) {
      reader.page(at: size / 2)
    }
  }

  /// Measures writes and reads while a snapshot is written, and then without one.
  private static func measureSnapshot(
    of session: SessionID,
    in folder: borrowing ScratchFolder,
    size: Int
  ) -> [Measurement] {
    let service = LocalService(folder: folder.path, snapshotBytes: 4_096)
    // The visit that brings the tree in has it written down whole.
    _ = PageReader(service.port, session, rows: size).page(at: 0)
    let beside = measureClients("beside a snapshot", of: session, service, size: size, first: size)
    service.storage?.waitForSnapshot()
    return beside + measureClients("alone", of: session, service, size: size, first: 2 * size)
  }

  private static func measureClients(
    _ label: String,
    of session: SessionID,
    _ service: LocalService,
    size: Int,
    first: Int
  ) -> [Measurement] {
    let port = service.port
    let writes = PacedWrites(max(20, size / 2_000)) {
      LeafInserter(port: port, session: session, size: size, first: first)
    }
    var reader = PageReader(service.port, session, rows: size)
    let pages = reader.read(until: { writes.isOver }, andThen: 1)
    let (checksum, times) = writes.wait()
    return Measurement.percentiles(
      "write \(label)",
      times,
      size: size,
      checksum: checksum
    )
      + Measurement.percentiles(
        "page \(label)",
        pages,
        size: size,
        checksum: reader.page(at: size / 2)
      )
  }
}

extension SQLiteStorage {
  /// Waits until the only tree has a snapshot.
  fileprivate func waitForSnapshot() {
    do {
      let trees = try sharedTrees()
      while try snapshot(of: trees[0].number) == nil { usleep(1_000) }
    } catch {
      preconditionFailure("a benchmark's storage cannot be read: \(error)")
    }
  }
}
