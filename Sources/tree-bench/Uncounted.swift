import TreeEngine

/// Does work of the engine without counting its steps, so that nothing stops it.
@inline(__always)
func uncounted<Result>(
  _ work: (_ count: (Int) throws(Interruption) -> Void) throws(Interruption) -> Result
) -> Result {
  do throws(Interruption) {
    return try work { _ in }
  } catch {
    preconditionFailure("nothing stopped the work")
  }
}
