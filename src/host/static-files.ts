import { readFile } from 'node:fs/promises'
import { extname, join, normalize, sep } from 'node:path'

const TYPES: Readonly<Record<string, string>> = {
  '.bcmap': 'application/octet-stream',
  '.css': 'text/css; charset=utf-8',
  '.html': 'text/html; charset=utf-8',
  '.ico': 'image/x-icon',
  '.js': 'text/javascript; charset=utf-8',
  '.pfb': 'application/octet-stream',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.ttf': 'font/ttf',
  '.webmanifest': 'application/manifest+json',
  '.woff2': 'font/woff2',
}

export interface StaticFile {
  readonly content: Buffer
  readonly contentType: string
}

const decode = (urlPath: string): string | null => {
  try {
    return decodeURIComponent(urlPath)
  } catch {
    return null
  }
}

/**
 * One of the window's own files, by the path of its URL.
 * @returns null for what is not there, is of an unknown kind, or would lie outside of `root`
 */
export const readStaticFile = async (root: string, urlPath: string): Promise<StaticFile | null> => {
  const path = decode(urlPath)
  const contentType = path === null ? undefined : TYPES[extname(path)]
  if (path === null || contentType === undefined || path.includes('\0')) return null
  const file = normalize(join(root, path))
  if (!file.startsWith(normalize(root) + sep)) return null
  const content = await readFile(file).catch(() => null)
  return content === null ? null : { content, contentType }
}
