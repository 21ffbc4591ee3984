// Allowed imports between the folders of `src`, for oxlint.config.ts (modules) and eslint.config.js (components).
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Top-level folders, and what each may import. Hosts start `engine/worker.ts` as a thread and never import it. */
const rooms = ['shared', 'mime', 'engine', 'host', 'main', 'preload', 'browser', 'cli', 'renderer', 'service']
const doors = {
  shared: [],
  mime: [],
  engine: ['shared', 'mime'],
  host: ['shared'],
  main: ['shared', 'host', 'cli'],
  preload: ['shared'],
  browser: ['shared', 'host'],
  cli: ['shared', 'host', 'engine'],
  renderer: ['shared'],
  // The local platform and the engine parse message formats with one library and share nothing else.
  service: ['mime'],
}
const walls = Object.entries(doors).map(([room, open]) => ({
  target: `./src/${room}`,
  from: rooms.filter((other) => other !== room && !open.includes(other)).map((other) => `./src/${other}`),
  message: `src/${room} may import ${open.length > 0 ? open.map((other) => `src/${other}`).join(', ') : 'no other room'}.`,
}))

/** The command line may import only these modules of the engine. */
const engineEntries = {
  target: './src/cli',
  from: './src/engine',
  except: [
    './account-exporter.ts',
    './account-lock.ts',
    './account-reader.ts',
    './assistants/assistant-file.ts',
    './assistants/quoting.ts',
    './assistants/readable-body.ts',
    './engine.ts',
  ],
  message: 'src/cli takes of the engine what is made for those outside of it.',
}

/**
 * Inside the engine, the base folders (fetching, storing, sending) import no domain, and no domain imports another.
 * Exceptions: search provides thread lists that span more than one folder, and the counts of saved searches. `timing`
 * is open to all.
 */
const engineBase = ['timing', 'api', 'search-index', 'store', 'blobs', 'sync', 'outbox', 'problems', 'raw-messages']
const engineDomains = [
  'account-emails',
  'agents',
  'reply-times',
  'assignees',
  'assistants',
  'attachments',
  'backup',
  'bodies',
  'contacts',
  'export',
  'inboxes',
  'prefetch',
  'saved-searches',
  'labels',
  'people',
  'pictures',
  'rules',
  'search',
  'senders',
  'settings',
  'share-links',
  'suppressions',
  'templates',
  'threads',
  'unified-threads',
  'unsubscribe',
  'usage',
]
const engineDoors = {
  timing: [],
  api: [],
  problems: ['store'],
  'search-index': [],
  store: ['api', 'search-index'],
  blobs: ['store'],
  sync: ['api', 'store', 'problems'],
  'raw-messages': ['api', 'store', 'blobs', 'sync'],
  outbox: ['api', 'store', 'sync', 'problems'],
  ...Object.fromEntries(engineDomains.map((domain) => [domain, engineBase])),
  threads: [...engineBase, 'search'],
  'reply-times': [...engineBase, 'search'],
  'unified-threads': [...engineBase, 'search', 'threads'],
  'saved-searches': [...engineBase, 'search'],
  rules: [...engineBase, 'search'],
  // Prefetched files are stored where `attachments` looks for them.
  prefetch: [...engineBase, 'attachments'],
  export: [...engineBase, 'search'],
  // Embedded pictures are attachments, and a choice for a sender applies only to the sender's own e-mails.
  pictures: [...engineBase, 'attachments', 'senders'],
  // The confirmation names the sender of the e-mail.
  unsubscribe: [...engineBase, 'senders'],
}
const engineWalls = Object.entries(engineDoors).map(([room, open]) => ({
  target: `./src/engine/${room}`,
  from: [...engineBase, ...engineDomains]
    .filter((other) => other !== room && other !== 'timing' && !open.includes(other))
    .map((other) => `./src/engine/${other}`),
  message: `src/engine/${room} may import ${['timing', ...open].map((other) => `src/engine/${other}`).join(', ')}.`,
}))

/**
 * Inside the renderer, `app` assembles features. Features use the kernel and UI primitives, which never import a
 * feature.
 */
const rendererDoors = {
  features: ['kernel', 'ui'],
  ui: [],
  kernel: ['ui'],
}
const rendererRooms = ['app', 'features', 'kernel', 'ui']
const rendererWalls = Object.entries(rendererDoors).map(([room, open]) => ({
  target: `./src/renderer/${room}`,
  from: rendererRooms
    .filter((other) => other !== room && !open.includes(other))
    .map((other) => `./src/renderer/${other}`),
  message: `src/renderer/${room} may import ${open.length > 0 ? open.map((other) => `src/renderer/${other}`).join(', ') : 'no other room of the renderer'}.`,
}))

/** Features of the window, lowest first. Each may import those before it, which rules out cycles. */
export const features = [
  'mailboxes',
  'threads',
  'lists',
  'labels',
  'assignees',
  'proxy',
  'accounts',
  'search',
  'links',
  'bodies',
  'attachments',
  'unsubscribe',
  'source',
  'trust',
  'deliveries',
  'windows',
  'export',
  'suppressions',
  'agents',
  'writing',
  'rules',
  'assistants',
  'thread-controls',
  'person',
  'share-links',
  'first-steps',
  'reader',
  'thread-list',
  'account-emails',
  'received',
  'sent',
  'contacts',
  'side-bar',
  'commands',
  'notices',
  'updates',
  'settings',
  'app-links',
  'onboarding',
]
const folders = readdirSync(join(import.meta.dirname, '../src/renderer/features'))
const astray = [...new Set(folders).symmetricDifference(new Set(features))]
if (astray.length > 0)
  throw new Error(`These features are missing from scripts/import-zones.mjs or from src: ${astray.join(', ')}`)
const featureWalls = features.slice(0, -1).map((feature, place) => ({
  target: `./src/renderer/features/${feature}`,
  from: features.slice(place + 1).map((other) => `./src/renderer/features/${other}`),
  message: `features/${feature} may import what is before it in scripts/import-zones.mjs.`,
}))

/** The platform's payloads stay in `engine/api`; everything above it uses the model. */
const border = {
  target: ['./src/engine/!(api)/**', './src/engine/*.ts', './src/!(engine)/**', './tests/**'],
  from: './src/engine/api/parse-response.ts',
  message: 'Only src/engine/api knows the words of the platform: it gives what is read from them.',
}

/** Zones for `no-restricted-paths` of eslint-plugin-import-x. */
export const zones = [...walls, engineEntries, ...engineWalls, border, ...rendererWalls, ...featureWalls]
