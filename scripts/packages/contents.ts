/** Checks of a package's contents. Each returns one sentence per fault. */

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
  // Written by electron-builder: the package type and the location of updates.
  /^resources\/(?:apparmor-profile|app-update\.yml|package-type)$/,
]
const CODE = /\.(?:[cm]?js|css|html)$/

/** Finds files that are unexpected, missing, or contain the build path. */
export const findInArchive = (
  files: readonly string[],
  read: (file: string) => Buffer,
  builtIn: string,
): readonly string[] => {
  const code = files.filter((file) => CODE.test(file)).map((file) => [file, read(file).toString('utf8')] as const)
  return [
    ...files
      .filter((file) => !OF_THE_ARCHIVE.some((form) => form.test(file)))
      .map((file) => `app.asar has ${file}, which is no part of the app.`),
    ...NEEDED.filter((file) => !files.includes(file)).map((file) => `app.asar has no ${file}.`),
    ...code
      .filter(([, text]) => /^\/[/*][#@] sourceMappingURL=/m.test(text))
      .map(([file]) => `${file} names a map of its sources.`),
    ...code.filter(([, text]) => text.includes(builtIn)).map(([file]) => `${file} says in which folder it was built.`),
  ]
}

/** Finds files next to the archive that are neither Electron's nor expected, and a missing addon. */
export const findBeside = (
  files: readonly string[],
  electron: readonly string[],
  target: string,
): readonly string[] => {
  const addon = `resources/app.asar.unpacked/node_modules/better-sqlite3/prebuilds/${target}.node`
  return [
    ...files
      .filter((file) => file !== addon && !electron.includes(file) && !BESIDE_ELECTRON.some((form) => form.test(file)))
      .map((file) => `${file} is neither Electron's nor the app's.`),
    ...(files.includes(addon) ? [] : [`There is no ${addon}.`]),
  ]
}

/** Checks that Electron's fuses match the configuration. */
export const findInFuses = (
  asked: Readonly<Record<string, unknown>>,
  found: Readonly<Record<string, boolean>>,
): readonly string[] =>
  Object.entries(asked).flatMap(([name, isOn]) => {
    const fuse = `${name.slice(0, 1).toUpperCase()}${name.slice(1)}`
    return typeof isOn !== 'boolean' || found[fuse] === isOn ? [] : [`The fuse ${fuse} is not ${isOn ? 'on' : 'off'}.`]
  })

/** Lines of the desktop file that open links, keep the sandbox, and name the window and its icon. */
const DESKTOP_FILE = [
  /^MimeType=(?:.*;)?x-scheme-handler\/linnet;/m,
  /^MimeType=(?:.*;)?x-scheme-handler\/mailto;/m,
  /^Exec=(?!.*(?:no-sandbox|disable-\S*sandbox)).* %[Uu]$/m,
  /^StartupWMClass=/m,
  /^Icon=linnet$/m,
]

export const findInDesktopFile = (text: string): readonly string[] =>
  DESKTOP_FILE.filter((line) => !line.test(text)).map((line) => `The desktop file has no line ${line.source}.`)

/** Maximum size relative to Electron alone. */
const HEAVIEST = 1.15

export const findInSize = (bytes: number, empty: number): readonly string[] =>
  bytes <= empty * HEAVIEST
    ? []
    : [`Linnet is ${(bytes / empty).toFixed(3)} × the size of an empty app; ${HEAVIEST} is the bound.`]
