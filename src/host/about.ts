import manifest from '../../package.json' with { type: 'json' }
import type { AboutLinnet } from '../shared/about-linnet.ts'

/** The versions of a process, where they are known. */
type Versions = Readonly<Partial<Record<string, string>>>

/**
 * Which Linnet this is, and what it runs on.
 * @param versions those of the process; Electron's have Chromium's as well
 * @param sqlite that of the engine; null where it does not answer
 */
export const describeAbout = ({ electron, chrome, node }: Versions, sqlite: string | null): AboutLinnet => {
  const parts = [
    { name: 'Electron', version: electron },
    { name: 'Chromium', version: chrome },
    { name: 'Node.js', version: node },
    { name: 'SQLite', version: sqlite ?? undefined },
  ] as const
  return {
    version: manifest.version,
    parts: parts.flatMap(({ name, version }) => (version === undefined ? [] : [{ name, version }])),
    hasElectron: electron !== undefined,
  }
}
