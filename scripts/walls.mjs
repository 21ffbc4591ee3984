// Allowed imports between the folders of `src`, for oxlint.config.ts (modules) and eslint.config.js (components).
import { readdirSync } from 'node:fs'
import { join } from 'node:path'

/** Each folder may import those before it. */
const inOrder = (/** @type {string} */ names) =>
  Object.fromEntries(names.match(/\S+/g)?.map((room, place, all) => [room, all.slice(0, place)]) ?? [])

const MAY_IMPORT = {
  // Hosts start `engine/worker.ts` as a thread and never import it.
  src: {
    ...{ shared: [], engine: ['shared'], host: ['shared'], main: ['shared', 'host', 'cli'], renderer: ['shared'] },
    ...{ preload: ['shared'], browser: ['shared', 'host'], cli: ['shared', 'host', 'engine'] },
  },
  packages: inOrder('mime platform'),
  'src/engine': inOrder('timing platform store own sync mail files handlers'),
  'src/renderer': inOrder('ui kernel features app'),
  'src/renderer/features': inOrder(`
    mailboxes threads lists labels assignees proxy accounts search links bodies attachments unsubscribe source trust
    suppressions deliveries windows export agents writing rules assistants thread-controls person share-links
    home reader thread-list account-emails contacts side-bar commands notices updates settings
    app-links onboarding`),
}

const wallsOf = ([/** @type {string} */ tree, /** @type {Record<string, string[]>} */ rooms]) => {
  const named = new Set(Object.keys(rooms))
  const entries = readdirSync(join(import.meta.dirname, '..', tree), { withFileTypes: true })
  const folders = entries.filter((entry) => entry.isDirectory()).map(({ name }) => name)
  const astray = named.symmetricDifference(new Set(folders))
  if (astray.size > 0) throw new Error(`Only scripts/walls.mjs or only ${tree} has: ${[...astray].join(', ')}.`)
  return Object.entries(rooms).flatMap(([room, open]) => {
    const closed = [...named].filter((other) => other !== room && !open.includes(other))
    const message = `${tree}/${room} may not import this folder (scripts/walls.mjs).`
    return closed.map((other) => ({ target: `./${tree}/${room}`, from: `./${tree}/${other}`, message }))
  })
}

/** Zones for `no-restricted-paths` of eslint-plugin-import-x. */
export const zones = [
  ...Object.entries(MAY_IMPORT).flatMap(wallsOf),
  { target: './src/engine/!(handlers)/**', from: './src/engine/*.ts', message: 'Only the handlers know the account.' },
  { target: './src', from: './packages/platform', message: 'The local platform shares only MIME parsing with Linnet.' },
  { target: './packages/*/src', from: './src', message: 'A package may not import from the app.' },
  {
    target: './src/cli',
    from: './src/engine/**',
    except: [
      '**/engine/{engine,files/account-*,own/account-files,own/assistant-store}.ts',
      '**/engine/mail/assistants/{quoting,readable-body}.ts',
    ],
    message: 'src/cli imports only the modules of the engine that are made for it.',
  },
  {
    target: ['./src/engine/!(platform)/**', './src/engine/*.ts', './src/!(engine)/**', './tests/!(unit)/**'],
    from: './src/engine/platform/parse-response.ts',
    message: 'Only src/engine/platform reads the payloads of the platform; everything above it uses the model.',
  },
]
