/**
 * What opening a file may do to a computer. By its name, as that decides what a desktop does with it, and by its first
 * bytes, as a name can say anything.
 */
export const ATTACHMENT_RISKS = ['program', 'script', 'macros', 'page', 'disk', 'shortcut'] as const
export type AttachmentRisk = (typeof ATTACHMENT_RISKS)[number]

const ENDINGS: Readonly<Record<AttachmentRisk, string>> = {
  program:
    'exe msi msix msixbundle appx appxbundle com scr pif cpl dll ocx sys drv gadget application xll xbap app dmg pkg mpkg deb rpm appimage run bin elf apk aab ipa jar jnlp class flatpak flatpakref snap xpi crx chm hlp msc msp mst',
  script:
    'bat cmd ps1 ps1xml ps2 psm1 psd1 vb vbs vbe js jse mjs cjs ws wsf wsh wsc sct hta sh bash zsh csh ksh fish command tool py pyc pyw pyz pl rb php lua tcl scpt scptd applescript workflow action reg inf',
  macros:
    'docm dotm xlsm xltm xlam xlsb xla xlm pptm potm ppam ppsm sldm mdb mde accdb accde ade adp one onepkg iqy slk odb',
  page: 'html htm xhtml xht shtml mht mhtml svg svgz',
  disk: 'iso img vhd vhdx vmdk udf cdr',
  shortcut:
    'lnk url website webloc inetloc fileloc desktop scf rdp library-ms search-ms searchconnector-ms settingcontent-ms appref-ms appinstaller theme themepack diagcab',
}
const RISK_OF = new Map<string, AttachmentRisk>(
  ATTACHMENT_RISKS.flatMap((risk) => ENDINGS[risk].split(' ').map((ending) => [ending, risk] as const)),
)

/** Endings that a person takes for a document, a picture or a sound: what stands behind one of them is hidden by it. */
const HARMLESS =
  /^(?:pdf|docx?|xlsx?|pptx?|odt|ods|odp|rtf|txt|csv|jpe?g|png|gif|bmp|webp|avif|heic|tiff?|mp[34]|m4a|mov|avi|wav|zip|eml)$/

/** The endings of a name, the last one last, as a desktop reads them: without what it leaves out or does not show. */
const endingsOf = (name: string): readonly string[] =>
  name
    .slice(-1_000)
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    // Windows leaves out blanks and dots at the end, and what is behind a colon.
    .replace(/:.*$/, '')
    .replace(/[\s.]+$/, '')
    .toLowerCase()
    .split('.')
    .slice(1)
    .map((ending) => ending.trim())

/** What a desktop would do with a file of this name. @returns null for what only shows something */
export const riskOfName = (name: string | null): AttachmentRisk | null =>
  RISK_OF.get(endingsOf(name ?? '').at(-1) ?? '') ?? null

/**
 * Whether a name hides what the file is: by two endings, the first of them of a document (`invoice.pdf.exe`), or by signs
 * that turn the direction of writing (`invoice\u202efdp.exe`).
 */
export const isDisguised = (name: string | null): boolean => {
  if (name === null || riskOfName(name) === null) return false
  const before = endingsOf(name).at(-2)
  return (before !== undefined && HARMLESS.test(before)) || /[\u202a-\u202e\u2066-\u2069]/.test(name)
}

/** First bytes of programs, as hexadecimal digits (file(1), "magic"). */
const PROGRAMS = [
  '4d5a', // Windows
  '7f454c46', // Linux
  'feedface', // macOS, each width and order of bytes
  'feedfacf',
  'cefaedfe',
  'cffaedfe',
  'cafebabe', // macOS, several in one; Java
  'edabeedb', // rpm
  '213c617263683e0a', // deb
  '78617221', // pkg
  '6465780a', // Android
] as const
const SHORTCUT = '4c0000000114020000000000c000000000000046'

/**
 * What the beginning of a file says that it is.
 * @param head the first bytes, a thousand or more of them where there are so many
 */
export const riskOfBytes = (head: Uint8Array): AttachmentRisk | null => {
  const digits = [...head.subarray(0, 20)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  if (PROGRAMS.some((program) => digits.startsWith(program))) return 'program'
  if (digits.startsWith(SHORTCUT)) return 'shortcut'
  // A letter for each byte: what browsers call Latin-1 has others in the middle.
  const text = String.fromCharCode(...head.subarray(0, 1_000)).replace(/^(?:\u00ef\u00bb\u00bf)?\s*/, '')
  if (text.startsWith('#!')) return 'script'
  const markup = text.replace(/^(?:<\?xml[^>]*>|<!--(?:(?!-->)[^])*-->|\s)+/i, '')
  return /^<(?:!doctype\s+(?:html|svg)|html|head|body|script|iframe|svg)[\s>]/i.test(markup) ? 'page' : null
}
