# syntax=docker/dockerfile:1
# The page, then the binary with the page inside, then a small image with the binary and Stockfish.

FROM node:22-trixie-slim AS page
WORKDIR /src/web
COPY web/package.json web/package-lock.json ./
# Not `npm ci`, for the reason that stands in scripts/setup.
RUN --mount=type=cache,target=/root/.npm npm install --no-save --no-fund --no-audit
COPY web ./
RUN npm run build

FROM rust:1.95-slim-trixie AS binary
WORKDIR /src
COPY Cargo.toml Cargo.lock ./
COPY .cargo .cargo
COPY crates crates
COPY --from=page /src/web/build web/build
RUN --mount=type=cache,target=/usr/local/cargo/registry \
    --mount=type=cache,target=/src/target \
    cargo build --release --locked -p cli && cp target/release/rookery /rookery

FROM debian:trixie-slim
# Certificates, for whatever is reached by TLS: a PostgreSQL or mail server, push services, other sites. Stockfish, for
# opponents and analysis of full strength.
RUN apt-get update \
    && apt-get install -y --no-install-recommends ca-certificates stockfish \
    && rm -rf /var/lib/apt/lists/* \
    && useradd --uid 10001 --no-create-home --shell /usr/sbin/nologin rookery \
    && install -d -o rookery -g rookery -m 700 /data
COPY --from=binary /rookery /usr/local/bin/rookery
USER rookery
ENV ROOKERY_DATA=/data ROOKERY_LISTEN=0.0.0.0:8080
VOLUME /data
EXPOSE 8080
STOPSIGNAL SIGTERM
# The image has no curl, and needs none: bash can speak to a port.
HEALTHCHECK --interval=10s --timeout=3s --start-period=5s \
    CMD ["bash", "-c", "exec 3<>/dev/tcp/127.0.0.1/8080 && printf 'GET /readyz HTTP/1.0\\r\\nHost: localhost\\r\\n\\r\\n' >&3 && head -n 1 <&3 | grep -q ' 200 '"]
ENTRYPOINT ["rookery"]
CMD ["serve"]
