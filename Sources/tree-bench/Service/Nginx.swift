import Glibc

/// The program nginx with one process, on the processor that the service uses at other times.
///
/// It answers `/healthz` with a constant, and other paths with files of its folder, with its
/// default settings. Below `/kept/` it keeps the files open, which is its fastest mode. It stops
/// when it is released.
final class Nginx {
  let port: UInt16
  let process: pid_t
  /// The folder for its temporary files, which it creates but does not use here.
  private let spareFolder: String

  static var isInstalled: Bool { Shell.has("nginx") }

  /// Starts it on a free port.
  init(serving folder: borrowing ScratchFolder) {
    port = LoopbackSocket.freePort()
    folder.write(Self.configuration(port: port), as: "nginx.conf")
    let command = "nginx -p \(folder.path) -c nginx.conf -e stderr"
    let (status, _) = Shell.run(command)
    let written = Shell.run("cat \(folder.path)/nginx.pid").output
    guard status == 0, let process = pid_t(written.filter(\.isNumber)) else {
      preconditionFailure("nginx does not start")
    }
    self.process = process
    spareFolder = "\(folder.path)/spare"
  }

  deinit {
    kill(process, SIGTERM)
    while kill(process, 0) == 0 { usleep(1_000) }
    unsafe rmdir(spareFolder)
  }

  private static func configuration(port: UInt16) -> String {
    """
    master_process off;
    pid nginx.pid;
    events { worker_connections 1024; }
    http {
      access_log off;
      default_type application/json;
      keepalive_requests 1000000000;
      client_body_temp_path spare; proxy_temp_path spare; fastcgi_temp_path spare;
      uwsgi_temp_path spare; scgi_temp_path spare;
      server {
        listen 127.0.0.1:\(port);
        root .;
        location = /healthz { return 200 '{"status":"ok"}'; }
        location /kept/ { alias ./; open_file_cache max=10; }
      }
    }
    """
  }
}
