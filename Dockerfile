# Two stages: compilers, sources and development dependencies stay behind in the first.

FROM node:20-bookworm AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json tsconfig.build.json ./
COPY src ./src
RUN npm run build && rm dist/.tsbuildinfo
# What the addons were compiled from weighs more than they do.
RUN npm prune --omit=dev \
  && rm -rf node_modules/better-sqlite3/deps node_modules/better-sqlite3/build/Release/obj* \
  node_modules/better-sqlite3/build/Release/*.a node_modules/tree-sitter-python/src \
  node_modules/tree-sitter-python/prebuilds

FROM node:20-bookworm-slim
# Without a credential it listens on the loopback address only: give it HOST=0.0.0.0 and GATEHOUSE_ADMIN_TOKEN.
ENV NODE_ENV=production PORT=8080
WORKDIR /app
COPY --from=build /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
COPY package.json LICENSE ./
# 1000 is the image's user `node`.
RUN mkdir -p data && chown 1000:1000 data
USER node
VOLUME /app/data
EXPOSE 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=10s --timeout=3s --start-period=10s \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then((answer) => process.exit(answer.ok ? 0 : 1), () => process.exit(1))"]
CMD ["node", "dist/server.js"]
