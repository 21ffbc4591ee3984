// Which room of the sources may import which: for oxlint.config.ts (modules) and eslint.config.js (components).
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The walls of the house: which room may import which. A room that is not named in `from` is closed.
 * `engine/worker.ts` is started by the hosts as a thread, never imported.
 */
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
  // What a message says is a format, which both sides read by one library; all else they have apart.
  service: ['mime'],
}
const walls = Object.entries(doors).map(([room, open]) => ({
  target: `./src/${room}`,
  from: rooms.filter((other) => other !== room && !open.includes(other)).map((other) => `./src/${other}`),
  message: `src/${room} may import ${open.length > 0 ? open.map((other) => `src/${other}`).join(', ') : 'no other room'}.`,
}))

/** The command line goes into the engine by its doors alone. */
const engineEntries = {
  target: './src/cli',
  from: './src/engine',
  except: [
    './account-exporter.ts',
    './account-held.ts',
    './account-reader.ts',
    './assistants/assistant-file.ts',
    './assistants/quoting.ts',
    './assistants/readable-body.ts',
    './engine.ts',
  ],
  message: 'src/cli takes of the engine what is made for those outside of it.',
}

/**
 * Inside the engine: what fetches, keeps and sends mail knows nothing of the domains that answer the contract's commands,
 * and no domain knows another, save that lists of threads are answered by search where they are more than a folder, and
 * that what a saved search finds is counted by it. `timing` is open to all of them.
 */
const engineBase = ['timing', 'api', 'search-index', 'store', 'contents', 'sync', 'outbox', 'problems', 'originals']
const engineDomains = [
  'account-emails',
  'agents',
  'answering',
  'assignees',
  'assistants',
  'attachments',
  'backup',
  'bodies',
  'contacts',
  'export',
  'inboxes',
  'keeping',
  'kept-searches',
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
  'threads-across',
  'unsubscribe',
  'usage',
]
const engineDoors = {
  timing: [],
  api: [],
  problems: ['store'],
  'search-index': [],
  store: ['api', 'search-index'],
  contents: ['store'],
  sync: ['api', 'store', 'problems'],
  originals: ['api', 'store', 'contents', 'sync'],
  outbox: ['api', 'store', 'sync', 'problems'],
  ...Object.fromEntries(engineDomains.map((domain) => [domain, engineBase])),
  threads: [...engineBase, 'search'],
  answering: [...engineBase, 'search'],
  'threads-across': [...engineBase, 'search', 'threads'],
  'kept-searches': [...engineBase, 'search'],
  rules: [...engineBase, 'search'],
  // What is kept before it is asked for lies where it is looked for.
  keeping: [...engineBase, 'attachments'],
  export: [...engineBase, 'search'],
  // Pictures that an e-mail carries are attachments of it, and a choice for a sender holds where the e-mail is theirs.
  pictures: [...engineBase, 'attachments', 'senders'],
  // Whose e-mail asks for it is said in the question.
  unsubscribe: [...engineBase, 'senders'],
}
const engineWalls = Object.entries(engineDoors).map(([room, open]) => ({
  target: `./src/engine/${room}`,
  from: [...engineBase, ...engineDomains]
    .filter((other) => other !== room && other !== 'timing' && !open.includes(other))
    .map((other) => `./src/engine/${other}`),
  message: `src/engine/${room} may import ${['timing', ...open].map((other) => `src/engine/${other}`).join(', ')}.`,
}))

/** Inside the renderer: the frame puts features together, features stand on the kernel and the primitives, which know no feature. */
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

/** The features of the window, lowest first: one may import those before it, so that no two import each other. */
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
  throw new Error(`scripts/walls.mjs gives no place to these features, or they are gone: ${astray.join(', ')}`)
const featureWalls = features.slice(0, -1).map((feature, place) => ({
  target: `./src/renderer/features/${feature}`,
  from: features.slice(place + 1).map((other) => `./src/renderer/features/${other}`),
  message: `features/${feature} may import what is before it in scripts/walls.mjs.`,
}))

/** What the platform sends ends where it is read: above `engine/api` only the model is spoken. */
const border = {
  target: ['./src/engine/!(api)/**', './src/engine/*.ts', './src/!(engine)/**', './tests/**'],
  from: './src/engine/api/read-answer.ts',
  message: 'Only src/engine/api knows the words of the platform: it gives what is read from them.',
}

/** What `no-restricted-paths` of eslint-plugin-import-x is given. */
export const zones = [...walls, engineEntries, ...engineWalls, border, ...rendererWalls, ...featureWalls]
