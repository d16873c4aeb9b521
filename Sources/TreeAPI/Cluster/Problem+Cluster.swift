import HTTP

extension Problem {
  /// The problem of a request whose `Tree-Hop` is not the secret of the cluster.
  static var foreignHop: Problem {
    Problem(
      .forbidden,
      detail: """
        The field Tree-Hop is for the instances of a cluster: leave it out, or give all instances \
        the same file as clusterSecretFile.
        """
    )
  }

  /// Returns the problem of a tree that no instance has at present.
  static func nowhere(retryAfter seconds: Int) -> Problem {
    overloaded("No instance has this tree at the moment; try again after \(seconds) s.", seconds)
  }

  /// The problem of a forwarded request whose tree is not here.
  static var movedTree: Problem {
    overloaded("The tree moves to another instance at the moment; try again after 1 s.", 1)
  }

  /// The problem of a request that changed nothing, and that another instance did not answer.
  static var unreachableInstance: Problem {
    overloaded(
      """
      The instance that has this tree cannot be reached, and nothing was changed; try again after \
      1 s.
      """,
      1
    )
  }

  /// The problem of a list in which trees would be missing.
  static var unlistedTrees: Problem {
    overloaded("Not all trees can be listed at the moment; try again after 1 s.", 1)
  }

  /// The problem of a change that was sent to another instance, which did not answer.
  static var lostInstance: Problem {
    var problem = Problem(
      .outcomeUnknown,
      detail: """
        The instance that has this tree did not answer, so the change may have been made or not. \
        Send it again with the same Idempotency-Key, which makes it once; if it had none, read \
        first if it was made.
        """
    )
    problem.fields.append(.retryAfter, "1")
    return problem
  }

  private static func overloaded(_ detail: String, _ seconds: Int) -> Problem {
    var problem = Problem(.overloaded, detail: detail)
    problem.fields.append(.retryAfter, String(seconds))
    return problem
  }
}
