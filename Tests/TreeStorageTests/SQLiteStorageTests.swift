import Testing
import TreeDomain
import TreeStorage

@Suite struct SQLiteStorageTests {
}
