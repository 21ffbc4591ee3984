// Allowed imports between the folders of `src`, for oxlint.config.ts (modules) and eslint.config.js (components).
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Each folder may import those before it. Folders joined by `+` may also import each other. */
const inOrder = (/** @type {string} */ names) => {
  const steps = names.trim().split(/\s+/)
  return Object.fromEntries(
    steps.flatMap((step, place) =>
      step.split('+').map((room) => [room, steps.slice(0, place + 1).flatMap((each) => each.split('+'))]),
    ),
  )
}

/** What each folder may import, by the folder that they are in. */
const TREES = {
  // Hosts start `engine/worker.ts` as a thread and never import it.
  src: {
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
  },
  'src/engine': inOrder(`
    timing search-index api+network store problems blobs sync raw-messages outbox agents inboxes labels snippets
    settings templates assignees assistants account-emails contacts share-links usage suppressions search threads
    unified-threads reply-times saved-searches rules senders people attachments prefetch pictures unsubscribe delivery
    backup export contact-import new-mail-notices bodies writing`),
  'src/renderer': inOrder('ui kernel features app'),
  'src/renderer/features': inOrder(`
    mailboxes threads lists labels assignees proxy accounts search links bodies attachments unsubscribe source trust
    deliveries windows export suppressions agents writing rules assistants thread-controls person share-links
    first-steps reader thread-list account-emails received sent contacts side-bar commands notices updates settings
    app-links onboarding`),
}

const wallsOf = ([/** @type {string} */ tree, /** @type {Record<string, string[]>} */ rooms]) => {
  const named = new Set(Object.keys(rooms))
  const entries = readdirSync(join(import.meta.dirname, '..', tree), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const astray = named.symmetricDifference(new Set(folders))
  if (astray.size > 0) throw new Error(`Only scripts/walls.mjs or only ${tree} has: ${[...astray].join(', ')}.`)
  return Object.entries(rooms).map(([room, open]) => ({
    target: `./${tree}/${room}`,
    from: [...named].filter((other) => other !== room && !open.includes(other)).map((other) => `./${tree}/${other}`),
    message: `${tree}/${room} may not import this folder (scripts/walls.mjs).`,
  }))
}

/** Zones for `no-restricted-paths` of eslint-plugin-import-x. */
export const zones = [
  ...Object.entries(TREES)
    .flatMap(wallsOf)
    .filter(({ from }) => from.length > 0),
  {
    target: './src/cli',
    from: './src/engine/**',
    except: [
      '**/engine/{account-exporter,account-lock,account-reader,engine}.ts',
      '**/engine/assistants/{assistant-file,quoting,readable-body}.ts',
    ],
    message: 'src/cli imports only the modules of the engine that are made for it.',
  },
  {
    target: ['./src/engine/!(api)/**', './src/engine/*.ts', './src/!(engine)/**', './tests/**'],
    from: './src/engine/api/parse-response.ts',
    message: 'Only src/engine/api reads the payloads of the platform; everything above it uses the model.',
  },
]
