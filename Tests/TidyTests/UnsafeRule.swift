/// The files that may use unsafe code. The list is short, so that the risks can be reviewed.
enum UnsafeRule {
  /// The files with their reasons.
  static let allowed: [String: String] = [
    "Sources/Coding/Deflater.swift": "calls of zlib",
    "Sources/HTTP/OutputSpan+Text.swift": "pieces of text copied into room",
    "Sources/HTTP/TextScan.swift": "eight bytes read at once",
    "Sources/HTTPServer/SocketAddress.swift": "the C form of an address",
    "Sources/HTTPServer/Syscalls.swift": "system calls of descriptors",
    "Sources/HTTPServer/Syscalls+Events.swift": "system calls of epoll and eventfd",
    "Sources/HTTPServer/Syscalls+Files.swift": "system calls of a log\'s file",
    "Sources/HTTPServer/Syscalls+LocalSockets.swift": "system calls of sockets with a path",
    "Sources/HTTPServer/Syscalls+Passed.swift": "system calls of passed sockets and datagrams",
    "Sources/HTTPServer/Syscalls+Process.swift": "system calls of the process itself",
    "Sources/HTTPServer/Syscalls+Sockets.swift": "system calls of sockets",
    "Sources/HTTPServer/Syscalls+Threads.swift": "system calls of threads and signals",
    "Sources/JSON/JSONRoom.swift": "bytes written where there is room",
    "Sources/JSON/JSONWriter.swift": "room that is not filled",
    "Sources/JSON/PackedName.swift": "the bytes of a StaticString",
    "Sources/JSON/Scan+Word.swift": "eight bytes read at once",
    "Sources/TreeClient/Transport/CurlLine.swift": "calls of libcurl",
    "Sources/TreeEngine/Chunks/ChunkDirectory.swift": "blocks of memory that arrays share",
    "Sources/TreeEngine/Chunks/ChunkedArray.swift": "elements in those blocks",
    "Sources/TreeEngine/Forest/ByteArena.swift": "bytes that are kept, copied at once",
    "Sources/TreeEngine/Forest/KeySegment.swift": "the place in memory that is read soon",
    "Sources/TreeEngine/Forest/KeyTable.swift": "the bytes that the standard library hashes",
    "Sources/TreeStorage/BlockName.swift": "system calls of a folder and an empty file",
    "Sources/TreeStorage/Checksum.swift": "the bytes that zlib sums up",
    "Sources/TreeStorage/DataFolder.swift": "system calls of folders and locks",
    "Sources/TreeStorage/GenerationMarker.swift": "system calls of a file that is written",
    "Sources/TreeStorage/PostgreSQL/PostgreSQLConnection.swift": "calls of libpq for a database",
    "Sources/TreeStorage/PostgreSQL/PostgreSQLResult.swift": "calls of libpq for an answer",
    "Sources/TreeStorage/PostgreSQL/PostgreSQLSystem.swift": "calls of threads, clocks and libpq",
    "Sources/TreeStorage/WordFile.swift": "system calls of a file that is read",
    "Sources/TreeStorage/SQLite/SQLiteConnection.swift": "calls of SQLite for a database",
    "Sources/TreeStorage/SQLite/SQLiteStatement.swift": "calls of SQLite for a statement",
    "Sources/TreeWeb/WebFile.swift": "bytes that the C compiler has embedded",
    "Sources/tree-bench/Attack/ClientSocket.swift": "system calls of a hostile client's socket",
    "Sources/tree-bench/Attack/ClientThread.swift": "system calls of threads",
    "Sources/tree-bench/Attack/ServerProcess.swift": "system calls that start and end a process",
    "Sources/tree-bench/ResidentBytes.swift": "the C form of the memory's statistics",
    "Sources/tree-bench/Service/ListeningSocket.swift": "system calls of a server's sockets",
    "Sources/tree-bench/Service/LoopbackSocket.swift": "system calls of a client's socket",
    "Sources/tree-bench/Service/SocketEvents.swift": "system calls that wait for many sockets",
    "Sources/tree-bench/Service/Processor.swift": "system calls of processors and their time",
    "Sources/tree-bench/Service/RawDatabase.swift": "calls of SQLite, for comparison",
    "Sources/tree-bench/Service/ScratchFolder.swift": "system calls of folders",
    "Sources/tree-bench/Service/Shell.swift": "the C form of a program's output",
    "Sources/tree-bench/Service/Nginx.swift": "the system call of folders",
    "Sources/Composition/ReadFile.swift": "system calls of files",
    "Sources/Composition/StandardStream.swift": "the system calls that open and write",
  ]

  static func findings(in source: SourceText) -> [Finding] {
    guard source.isProduct, allowed[source.path] == nil else { return [] }
    return source.code.enumerated().filter { $0.element.hasWord("unsafe") }.map {
      source.finding(line: $0.offset, "unsafe belongs into the files listed in UnsafeRule.swift")
    }
  }
}
