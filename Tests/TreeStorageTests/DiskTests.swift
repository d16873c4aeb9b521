import Testing

/// Tests of the single disk of this process that fails or is recorded.
///
/// They run one after another.
@Suite(.serialized) enum DiskTests {}
