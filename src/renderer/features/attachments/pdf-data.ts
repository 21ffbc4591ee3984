/** Files that PDFs expect from the viewer: the standard fonts and the maps of old Asian encodings. */
const addressesByName = (files: Readonly<Record<string, string>>): ReadonlyMap<string, string> =>
  new Map(Object.entries(files).map(([path, url]) => [path.slice(path.lastIndexOf('/') + 1), url]))

const FONTS = addressesByName(
  import.meta.glob<string>('../../../../node_modules/pdfjs-dist/standard_fonts/*.{pfb,ttf}', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
)
const MAPS = addressesByName(
  import.meta.glob<string>('../../../../node_modules/pdfjs-dist/cmaps/*.bcmap', {
    query: '?url',
    import: 'default',
    eager: true,
  }),
)

/** Fetches one of the window's own files. @throws if no file has this name */
const fetchBundled = async (files: ReadonlyMap<string, string>, name: string): Promise<Uint8Array> => {
  const url = files.get(name)
  if (url === undefined) throw new Error('This pdf.js file is not bundled.')
  const answer = await fetch(url)
  if (!answer.ok) throw new Error('The bundled pdf.js file could not be loaded.')
  return new Uint8Array(await answer.arrayBuffer())
}

/** Gives pdf.js its fonts and maps by file name only, ignoring any URL from a PDF or an option. */
export class BundledPdfData {
  readonly fetch = ({ kind, filename }: { readonly kind: string; readonly filename: string }): Promise<Uint8Array> =>
    fetchBundled(kind === 'cMapUrl' ? MAPS : FONTS, filename)
}
