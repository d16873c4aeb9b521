import Testing

/// Tests of the one disk of this process that fails or is recorded: they run one after another.
@Suite(.serialized) enum DiskTests {}
