# Built once with the compiler, then only what serves is kept. Debian 13, because the HTTP server's binary for Node 24
# needs glibc 2.38.
FROM node:24-trixie-slim AS build
WORKDIR /build
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts
COPY tsconfig.json ./
COPY .ci .ci
COPY src src
RUN npm run build && rm dist/program/*.map && npm prune --omit=dev --ignore-scripts

FROM node:24-trixie-slim
ENV NODE_ENV=production \
    RATEWRIGHT_HOST=0.0.0.0 \
    RATEWRIGHT_PORT=8080 \
    RATEWRIGHT_DATA=/data
WORKDIR /app
COPY package.json LICENSE ./
COPY --from=build /build/node_modules node_modules
COPY --from=build /build/dist/program dist/program
COPY data/carts data/carts
COPY data/demo-shop.json data/plans.json data/
RUN ln -s /app/dist/program/cli.js /usr/local/bin/ratewright && install -d -m 700 -o node -g node /data
USER node
VOLUME /data
EXPOSE 8080
# The image has no curl. /healthz says that the process is up; send traffic by /readyz.
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
    CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.RATEWRIGHT_PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["ratewright"]
CMD ["serve"]
