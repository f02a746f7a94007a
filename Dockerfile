# One image for every process, one with Chromium for the PDF worker and one with Apertium for the translation worker: which process runs is the command. Node runs the TypeScript sources directly, so there is no build.
#
# The workspace links in node_modules/@bindery stay links: Node strips no types below node_modules, so packages copied into it would not start.

# The package.json files alone: as long as they stay the same, so does the layer with the dependencies.
FROM node:24-slim AS manifests
COPY . /source
RUN mkdir /manifests && cd /source && cp --parents package.json package-lock.json .npmrc apps/*/package.json packages/*/package.json /manifests/

FROM node:24-slim AS dependencies
WORKDIR /app
COPY --from=manifests /manifests ./
# No install scripts: the only one that matters would fetch a second Node.
RUN npm ci --omit=dev --ignore-scripts --no-update-notifier

# From the same packages, checked by their hashes, as `npm start` fetches; their licenses lie beside them.
FROM node:24-slim AS fonts
WORKDIR /app
COPY --from=dependencies /app ./
COPY packages packages
COPY apps apps
RUN node apps/cli/src/main.ts fonts --to /usr/share/bindery/fonts

FROM node:24-slim AS app
# Children get their limits from prlimit and their user from setpriv, and perl ends what they leave; better no image than one without these.
RUN command -v prlimit && command -v setpriv && command -v perl
ENV NODE_ENV=production
# Threads share two regions of memory instead of keeping one each.
ENV MALLOC_ARENA_MAX=2
WORKDIR /app
COPY --from=dependencies /app ./
COPY LICENSE ./
COPY packages packages
COPY apps apps
COPY docs/openapi.json docs/
# The sources belong to root: the processes can read them, not change them.
USER node
EXPOSE 3000
CMD ["node", "apps/api/src/main.ts"]

FROM app AS pdf
USER root
RUN apt-get update && apt-get install -y --no-install-recommends chromium-headless-shell && rm -rf /var/lib/apt/lists/*
COPY --from=fonts /usr/share/bindery/fonts /usr/share/bindery/fonts
ENV CHROME_PATH=/usr/bin/chromium-headless-shell
ENV BINDERY_PDF_FONTS=/usr/share/bindery/fonts/fonts.conf
USER node

FROM app AS translation
USER root
RUN apt-get update && apt-get install -y --no-install-recommends apertium apertium-eng-spa apertium-fr-es apertium-spa-ita apertium-es-pt && rm -rf /var/lib/apt/lists/*
USER node

# The last one is what `docker build` makes.
FROM app
