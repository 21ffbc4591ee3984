/** Checks of a package's contents. Each returns one sentence per fault. */
import { createHash } from 'node:crypto'

/** Everything allowed in the app's archive. */
const OF_THE_ARCHIVE = [
  /^package\.json$/,
  /^out\/(?:third-party-notices\.txt|bill-of-materials\.cdx\.json)$/,
  /^out\/main\/(?!browser\.|linnet\.)[\w-]+\.cjs$/,
  /^out\/main\/(?:hunspell\.wasm|tray\.png)$/,
  /^out\/main\/demo\/(?:[\w-]+\/)?[\w.-]+\.(?:txt|csv|html|ics|json|log)$/,
  /^out\/main\/service-page\/page\.(?:html|css|js)$/,
  /^out\/main\/chunks\/[\w-]+\.cjs$/,
  /^out\/preload\/index\.cjs$/,
  /^out\/renderer\/(?:index\.html|[\w-]+\.(?:webmanifest|png|svg))$/,
  /^out\/renderer\/assets\/(?:pdf\/)?[\w.-]+\.(?:m?js|css|svg|png|wasm|woff2|bcmap|pfb|ttf|icc)$/,
  /^node_modules\/better-sqlite3\/(?:LICENSE|package\.json|lib\/(?:[\w-]+\/)?[\w-]+\.js|prebuilds\/[\w-]+\.node)$/,
]
const NEEDED = [
  'package.json',
  'out/main/index.cjs',
  'out/main/engine-worker.cjs',
  'out/main/service.cjs',
  'out/main/tray.png',
  'out/main/demo/mailbox.json',
  'out/preload/index.cjs',
  'out/renderer/index.html',
  'out/third-party-notices.txt',
  'out/bill-of-materials.cdx.json',
  'node_modules/better-sqlite3/lib/index.js',
]
/** Files allowed in addition to those of an empty app. */
const BESIDE_ELECTRON = [
  /^linnet(?:\.exe)?$/,
  /^resources\/app\.asar\.unpacked\/node_modules\/better-sqlite3\/prebuilds\/[\w-]+\.node$/,
  // Written by electron-builder: the package type and the location of updates.
  /^resources\/(?:apparmor-profile|app-update\.yml|package-type)$/,
]
const CODE = /\.(?:[cm]?js|css|html)$/
/** CPU codes in ELF headers. */
const MACHINES: Readonly<Record<string, number>> = { x64: 0x3e, arm64: 0xb7 }

/** Finds files that are unexpected, missing, or contain the build path. */
export const findInArchive = (
  files: readonly string[],
  read: (file: string) => Buffer,
  builtIn: string,
): readonly string[] => {
  const foreign = files.filter((file) => !OF_THE_ARCHIVE.some((form) => form.test(file)))
  const missing = NEEDED.filter((file) => !files.includes(file))
  const code = files.filter((file) => CODE.test(file)).map((file) => [file, read(file).toString('utf8')] as const)
  return [
    ...foreign.map((file) => `app.asar has ${file}, which is no part of the app.`),
    ...missing.map((file) => `app.asar has no ${file}.`),
    ...code
      .filter(([, text]) => /^\/[/*][#@] sourceMappingURL=/m.test(text))
      .map(([file]) => `${file} names a map of its sources.`),
    ...code.filter(([, text]) => text.includes(builtIn)).map(([file]) => `${file} says in which folder it was built.`),
  ]
}

/** Finds files next to the archive that are neither Electron's nor expected. */
export const findBeside = (files: readonly string[], electron: readonly string[]): readonly string[] =>
  files
    .filter((file) => !electron.includes(file) && !BESIDE_ELECTRON.some((form) => form.test(file)))
    .map((file) => `${file} is neither Electron's nor the app's.`)

/** Checks that there is exactly one addon, built for the package's system. */
export const findInAddons = (
  addons: readonly (readonly [file: string, content: Buffer])[],
  target: string,
): readonly string[] => {
  const [, arch = ''] = target.split('-')
  const count = addons.length === 1 ? [] : [`There are ${addons.length} addons, not the target's one.`]
  const faults = addons.flatMap(([file, content]) => {
    const isElf = content.toString('latin1', 0, 4) === '\u007FELF'
    if (!file.endsWith(`/${target}.node`)) return [`${file} is not the addon of ${target}.`]
    return isElf && content.readUInt16LE(18) === MACHINES[arch] ? [] : [`${file} is not made for ${target}.`]
  })
  return [...count, ...faults]
}

export interface PackedEntry {
  readonly unpacked?: boolean
  readonly integrity?: { readonly algorithm: string; readonly hash: string }
  readonly files?: Readonly<Record<string, PackedEntry>>
}

/** Files in the archive's header, by path. */
export const filesOf = (entry: PackedEntry, folder = ''): ReadonlyMap<string, PackedEntry> =>
  new Map(
    Object.entries(entry.files ?? {}).flatMap(([name, each]) => {
      const path = folder === '' ? name : `${folder}/${name}`
      return each.files === undefined ? [[path, each] as const] : [...filesOf(each, path)]
    }),
  )

/** Checks the archive's contents against the hashes in its header. */
export const findInIntegrity = (
  files: ReadonlyMap<string, PackedEntry>,
  read: (file: string) => Buffer,
): readonly string[] =>
  [...files].flatMap(([file, { unpacked, integrity }]) => {
    if (unpacked === true) return []
    if (integrity?.algorithm !== 'SHA256') return [`${file} has no hash in the archive's head.`]
    const found = createHash('sha256').update(read(file)).digest('hex')
    return found === integrity.hash ? [] : [`${file} is not what the archive's head says.`]
  })

interface Bill {
  readonly components?: readonly { readonly group?: string; readonly name: string; readonly version?: string }[]
}

/** Checks that every package in the notices is in the bill of materials, in the same version. */
export const findInBill = (bill: string, notices: string): readonly string[] => {
  const { components = [] } = JSON.parse(bill) as Bill
  const named = new Set(
    components.map(({ group, name, version }) => `${group === undefined ? '' : `${group}/`}${name} ${version ?? ''}`),
  )
  const told = [...notices.matchAll(/^(.+ \S+) \([^\n]*\)\n\n=+$/gm)].map(([, title = '']) => title)
  return [
    ...(told.length === 0 ? ['The notices name nothing.'] : []),
    ...told
      .filter((title) => !named.has(title))
      .map((title) => `${title} has a notice and is not in the bill of materials.`),
  ]
}

/** Checks that Electron's fuses match the configuration. */
export const findInFuses = (
  asked: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, boolean>>,
): readonly string[] =>
  Object.entries(asked).flatMap(([name, isOn]) => {
    if (typeof isOn !== 'boolean') return []
    const fuse = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
    return found[fuse] === isOn ? [] : [`The fuse ${fuse} is not ${isOn ? 'on' : 'off'}.`]
  })

/** Checks that the desktop file registers and passes on links, keeps the sandbox, and has its icon. */
export const findInDesktopFile = (text: string, icons: readonly string[]): readonly string[] => {
  const entry = new Map(
    text.split('\n').map((line) => [line.split('=', 1)[0] ?? '', line.slice(line.indexOf('=') + 1)]),
  )
  const types = (entry.get('MimeType') ?? '').split(';')
  return [
    ...['linnet', 'mailto']
      .filter((scheme) => !types.includes(`x-scheme-handler/${scheme}`))
      .map((scheme) => `The desktop file opens no ${scheme}: links.`),
    ...(/ %[Uu]$/.test(entry.get('Exec') ?? '') ? [] : ['The desktop file hands no link over.']),
    ...(/--(?:no-sandbox|disable-\S*sandbox)/.test(entry.get('Exec') ?? '')
      ? ['The desktop file starts Linnet without the sandbox.']
      : []),
    ...['StartupWMClass', 'Categories', 'Keywords']
      .filter((key) => !entry.has(key))
      .map((key) => `The desktop file has no ${key}.`),
    ...(icons.some((icon) => icon.endsWith(`/apps/${entry.get('Icon') ?? ''}.png`))
      ? []
      : ['The desktop file’s icon is not in the package.']),
  ]
}

/** Maximum size relative to Electron alone. */
const HEAVIEST = 1.15

/** @returns a sentence about the excess size, or null if the size is within the bound */
export const findInSize = (what: string, bytes: number, empty: number): string | null =>
  bytes <= empty * HEAVIEST
    ? null
    : `${what} is ${(bytes / empty).toFixed(3)} × that of an empty app; ${HEAVIEST} is the bound.`
