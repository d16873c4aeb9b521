import Foundation
import HTTPServer
import TestSupport
import Testing

@Suite struct AccessLogTests {
  @Test func `lines without room and unwritable lines are dropped and counted`()
    throws
  {
    // Writing to this file fails like on a full disk.
    let log = try AccessLog(to: .file("/dev/full"), maxQueueBytes: 16)
    log.append(Array("longer than there is room for\n".utf8))
    log.append(Array("short\n".utf8))
    log.stop()
    #expect(log.dropped == 2)
  }

  @Test func `a pipe is opened only if it has a reader`() throws {
    let folder = try TemporaryFolder()
    let path = try folder.makePipe("pipe")
    let error = #expect(throws: SystemError.self) { try AccessLog(to: .file(path)) }
    #expect(error?.hasNoReader == true)
    let reader = try #require(FileHandle(forUpdatingAtPath: path))
    let log = try AccessLog(to: .file(path))
    log.append(Array("line\n".utf8))
    log.stop()
    #expect(reader.availableData == Data("line\n".utf8) && log.dropped == 0)
  }

  @Test func `all appended lines are written when the log has stopped`() throws {
    let folder = try TemporaryFolder()
    let path = folder.path + "/log"
    for text in ["one\n", "two\n"] {
      let log = try AccessLog(to: .file(path))
      log.append(Array(text.utf8))
      log.stop()
      #expect(log.dropped == 0)
    }
    #expect(try String(contentsOfFile: path, encoding: .utf8) == "one\ntwo\n")
  }
}
