/// The version of the program, which is that of `openapi.yaml`.
let programVersion = "0.2.0"
