/// The memory of a ``ChunkedArray``: the address and the owner of each chunk.
///
/// A short array stores its elements behind the only slot, in the same object, and so takes one
/// allocation. In a longer array each chunk is a memory block that several directories may share.
@safe
final class ChunkDirectory: ManagedBuffer<ChunkDirectoryHeader, ChunkSlot> {
  deinit {
    unsafe withUnsafeMutablePointers { header, slots in
      _ = unsafe slots.deinitialize(count: header.pointee.count)
    }
  }
}

/// The header of a ``ChunkDirectory``.
struct ChunkDirectoryHeader {
  /// The number of slots in use.
  fileprivate(set) var count: Int
  /// The number of slots allocated.
  fileprivate let room: Int
  /// The number of elements that the chunks have room for.
  fileprivate var capacity: Int
  /// The unused owners, which the next chunks get.
  fileprivate var spareOwners: [ChunkOwner] = []
}

/// The address of a chunk and its owner.
///
/// The owner is nil if the chunk is part of the directory.
@safe
struct ChunkSlot {
  var start: UnsafeMutableRawPointer
  var owner: ChunkOwner?
}

/// An object that owns a memory block, and frees it at the end of its own life.
///
/// The owner is an object apart from the block. Each write checks if its chunk is shared. Owners
/// are made several at a time, so that they are close in memory and the check hits the cache.
@safe
final class ChunkOwner {
  fileprivate var block: UnsafeMutableRawPointer?

  fileprivate init() { unsafe block = nil }

  deinit { unsafe block?.deallocate() }
}

extension ChunkDirectory {
  private static var ownersAtOnce: Int { 32 }

  private static func make(room: Int, capacity: Int, extra: Int = 0) -> ChunkDirectory {
    let made = create(minimumCapacity: room + extra) { _ in
      ChunkDirectoryHeader(count: 0, room: room, capacity: capacity)
    }
    return unsafe unsafeDowncast(made, to: ChunkDirectory.self)
  }

  /// Makes a directory that contains its elements.
  static func small(capacity: Int, stride: Int) -> ChunkDirectory {
    let slotBytes = MemoryLayout<ChunkSlot>.stride
    let extra = (capacity * stride + slotBytes - 1) / slotBytes
    let directory = make(room: 1, capacity: extra * slotBytes / stride, extra: extra)
    unsafe directory.withUnsafeMutablePointers { header, slots in
      let start = unsafe UnsafeMutableRawPointer(slots + 1)
      unsafe slots.initialize(to: ChunkSlot(start: start, owner: nil))
      unsafe header.pointee.count = 1
    }
    return directory
  }

  /// True if the directory contains its elements.
  var isSmall: Bool {
    unsafe withUnsafeMutablePointers { header, slots in
      unsafe header.pointee.count == 1 && slots.pointee.owner == nil
    }
  }

  /// Copies the first `bytes` bytes to a new small directory with room for at least `capacity`
  /// elements.
  func copy(bytes: Int, capacity: Int, stride: Int) -> ChunkDirectory {
    let copy = ChunkDirectory.small(capacity: capacity, stride: stride)
    unsafe withUnsafeMutablePointerToElements { old in
      unsafe copy.withUnsafeMutablePointerToElements { new in
        unsafe new.pointee.start.copyMemory(from: old.pointee.start, byteCount: bytes)
      }
    }
    return copy
  }

  /// Copies the first `bytes` bytes to the first chunk of a new directory of separate chunks.
  func divided(bytes: Int, capacity: Int, stride: Int) -> ChunkDirectory {
    let many = ChunkDirectory.make(room: 4, capacity: 0)
    many.addChunk(capacity: capacity, stride: stride)
    unsafe withUnsafeMutablePointerToElements { old in
      unsafe many.withUnsafeMutablePointerToElements { new in
        unsafe new.pointee.start.copyMemory(from: old.pointee.start, byteCount: bytes)
      }
    }
    return many
  }

  /// Returns a directory that shares all chunks and has room for twice as many.
  func shared() -> ChunkDirectory {
    unsafe withUnsafeMutablePointers { header, slots in
      let count = unsafe header.pointee.count
      let copy = unsafe ChunkDirectory.make(room: 2 * count, capacity: header.pointee.capacity)
      unsafe copy.withUnsafeMutablePointers { newHeader, newSlots in
        unsafe newSlots.initialize(from: slots, count: count)
        unsafe newHeader.pointee.count = count
      }
      return copy
    }
  }

  /// The number of elements that there is room for.
  ///
  /// It is read at each append. Access through the header pointer avoids the run-time check for
  /// exclusive access.
  var elementCapacity: Int {
    unsafe withUnsafeMutablePointerToHeader { header in unsafe header.pointee.capacity }
  }

  /// True if there is a slot for one more chunk.
  var hasSlot: Bool { header.count < header.room }

  func addChunk(capacity: Int, stride: Int) {
    let owner = popOwner()
    unsafe withUnsafeMutablePointers { header, slots in
      let block = unsafe ChunkDirectory.makeBlock(bytes: capacity * stride)
      unsafe owner.block = block
      let slot = unsafe slots + header.pointee.count
      unsafe slot.initialize(to: ChunkSlot(start: block, owner: owner))
      unsafe header.pointee.count += 1
      unsafe header.pointee.capacity += capacity
    }
  }

  /// Replaces a shared chunk by a copy.
  func replaceChunk(_ index: Int, bytes: Int) {
    let owner = popOwner()
    unsafe withUnsafeMutablePointerToElements { slots in
      let block = unsafe ChunkDirectory.makeBlock(bytes: bytes)
      unsafe block.copyMemory(from: slots[index].start, byteCount: bytes)
      unsafe owner.block = block
      unsafe slots[index] = ChunkSlot(start: block, owner: owner)
    }
  }

  private static func makeBlock(bytes: Int) -> UnsafeMutableRawPointer {
    UnsafeMutableRawPointer.allocate(byteCount: bytes, alignment: 16)
  }

  private func popOwner() -> ChunkOwner {
    if header.spareOwners.isEmpty {
      header.spareOwners = (0..<Self.ownersAtOnce).map { _ in ChunkOwner() }
    }
    return header.spareOwners.removeLast()
  }
}
