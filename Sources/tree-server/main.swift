private import Composition
private import Glibc

exit(runProgram())
