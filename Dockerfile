# syntax=docker/dockerfile:1

# Build: the whole toolchain, used for one file.
FROM swift:6.3-bookworm AS build
WORKDIR /src

# The headers of the two libraries of the system that the program is linked with.
RUN apt-get update && apt-get install -y --no-install-recommends libsqlite3-dev zlib1g-dev \
  && rm -rf /var/lib/apt/lists/*

# There are no packages to fetch. The tests are copied because the manifest names their folders;
# they are not built.
COPY Package.swift ./
COPY Sources Sources
COPY Tests Tests
COPY openapi.yaml ./
RUN swift build -c release --product tree-server \
  && strip "$(swift build -c release --show-bin-path)/tree-server" \
  && install -D "$(swift build -c release --show-bin-path)/tree-server" /out/tree-server

# Run: the binary, the C and C++ libraries it was linked with (the same release of Debian; the
# image brings both), and a user without rights.
FROM debian:bookworm-slim
LABEL org.opencontainers.image.title="tree-server" \
  org.opencontainers.image.description="Expandable trees as flat lists of rows, over HTTP"

RUN apt-get update && apt-get install -y --no-install-recommends libsqlite3-0 zlib1g libpq5 \
  && rm -rf /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --user-group --no-create-home --shell /usr/sbin/nologin tree
COPY --from=build --chmod=0555 /out/tree-server /usr/local/bin/tree-server
COPY --chmod=0444 Config/server.json /etc/tree-server/server.json
# What is kept outlives the container where a volume is mounted here.
RUN install -d -o 10001 -g 10001 -m 0700 /var/lib/tree-server
VOLUME /var/lib/tree-server
USER 10001:10001

# Inside a container the loopback address is out of everybody's reach, so the service listens on
# all of them, and does not start without keys: mount a file of them, readable by the user above
# (`-v "$PWD/keys:/run/secrets/keys:ro" -e TREE_SERVER_KEYS_FILE=/run/secrets/keys`), or give them in
# TREE_SERVER_KEYS. Whoever wants none says so with TREE_SERVER_ALLOW_UNAUTHENTICATED_REMOTE=true,
# and publishes the port to the loopback address of the host (`-p 127.0.0.1:8080:8080`) or puts a
# proxy in front that asks for credentials; names under which it is then reached, other than
# localhost, are listed in TREE_SERVER_ALLOWED_HOSTS.
ENV TREE_SERVER_CONFIG=/etc/tree-server/server.json \
  TREE_SERVER_DATA=/var/lib/tree-server \
  TREE_SERVER_HOST=0.0.0.0
EXPOSE 8080

# One request over bash's own TCP device, because the image has no HTTP client; it knows the port
# of the variable, and the built-in one without it.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s --retries=3 \
  CMD ["bash", "-c", "port=${TREE_SERVER_PORT:-8080}; [[ $port == *://* ]] && port=8080; exec 3<>/dev/tcp/127.0.0.1/$port && printf 'GET /healthz HTTP/1.1\\r\\nHost: localhost\\r\\nConnection: close\\r\\n\\r\\n' >&3 && read -r -t 2 line <&3 && [[ $line == 'HTTP/1.1 200 '* ]]"]

# The process is the container's first one and stops gracefully on SIGTERM, within `drainSeconds` and
# two more: the ten that `docker stop` gives by itself are enough. With `lameDuckSeconds` it takes so
# much longer, and wants `--stop-timeout`.
#
# Config has what goes around it: sites of nginx and Caddy for browsers, which need HTTP/2, and a
# scrape configuration and alerts of Prometheus.
STOPSIGNAL SIGTERM
ENTRYPOINT ["/usr/local/bin/tree-server"]
