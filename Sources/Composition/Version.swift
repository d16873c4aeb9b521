/// The version of the program, the same as in `openapi.yaml`.
let programVersion = "0.2.0"
