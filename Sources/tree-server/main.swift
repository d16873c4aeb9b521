private import Glibc

exit(runProgram())
