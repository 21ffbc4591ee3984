import { safeFilename } from './safe-filename.ts'

/**
 * What opening a file may do to a computer. By its name, as that decides what a desktop does with it, and by its first
 * bytes, as a name can say anything.
 */
export type AttachmentRisk = 'program' | 'script' | 'macros' | 'page' | 'disk' | 'shortcut' | 'settings' | 'archive'

/** What a desktop opens a file with such an ending as; an archive is told by what is in it (`riskInside`). */
const ENDINGS: Readonly<Record<Exclude<AttachmentRisk, 'archive'>, string>> = {
  program:
    'exe msi msix msixbundle appx appxbundle com scr pif cpl dll ocx sys drv efi gadget application manifest xll xbap app dmg pkg mpkg deb rpm appimage run bin elf so dylib ko kext plugin prefpane saver apk aab ipa jar war ear jnlp class flatpak flatpakref snap xpi crx vsix air wgt chm hlp msc msp mst msu ops osd ins isp',
  script:
    'bat cmd ps1 ps1xml ps2 ps2xml psc1 psc2 psm1 psd1 cdxml msh msh1 msh2 mshxml msh1xml msh2xml vb vba vbp vbs vbe js jse jsx mjs cjs ws wsf wsh wsc sct hta sh bash zsh csh ksh fish command tool terminal py pyc pyo pyw pyz pyzw whl pl rb php lua tcl scpt scptd applescript workflow action ahk au3 mof reg inf asp aspx fxp prg plg',
  macros:
    'docm dotm xlsm xltm xlam xlsb xla xlm xlw pptm potm ppam ppsm sldm mdb mde mda mdt mdw mdz maf mag mam maq mar mas mau mav maw accdb accde accdr ade adp one onepkg iqy oqy rqy dqy slk odb vsmacros vsw',
  page: 'html htm xhtml xht shtml mht mhtml webarchive svg svgz xsl xslt',
  disk: 'iso img ima vhd vhdx avhdx vmdk vdi qcow2 ova udf cdr toast nrg mdf wim esd sparseimage sparsebundle',
  shortcut:
    'lnk url website webpnp webloc inetloc fileloc afploc ftploc desktop directory scf shb shs xnk rdp ica vnc library-ms search-ms searchconnector-ms settingcontent-ms appref-ms appinstaller appcontent-ms theme themepack deskthemepack diagcab diagcfg',
  settings: 'mobileconfig configprofile provisionprofile mobileprovision printerexport',
}
const RISK_OF = new Map<string, AttachmentRisk>(
  (Object.keys(ENDINGS) as readonly (keyof typeof ENDINGS)[]).flatMap((risk) =>
    ENDINGS[risk].split(' ').map((ending) => [ending, risk] as const),
  ),
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

const riskOfEnding = (name: string): AttachmentRisk | null => RISK_OF.get(endingsOf(name).at(-1) ?? '') ?? null

/**
 * What a desktop would do with a file of this name, as it was sent or as it is saved: what is left out of it to be safe
 * may have hidden its ending.
 * @returns null for what only shows something
 */
export const riskOfName = (name: string | null): AttachmentRisk | null =>
  name === null ? null : (riskOfEnding(name) ?? riskOfEnding(safeFilename(name)))

/**
 * Whether a name hides what the file is: by two endings, the first of them of a document (`invoice.pdf.exe`), or by signs
 * that turn the direction of writing (`invoice\u202efdp.exe`).
 */
export const isDisguised = (name: string | null): boolean => {
  if (name === null || riskOfName(name) === null) return false
  const before = endingsOf(riskOfEnding(name) === null ? safeFilename(name) : name).at(-2)
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
  '49545346', // compiled help, which runs scripts
  '68737173', // snap
] as const
const SHORTCUT = '4c0000000114020000000000c000000000000046'
/** Disk images that say so at their beginning, as text. */
const DISKS = ['vhdxfile', 'conectix', 'KDMV', 'QFI\u00fb', 'MSWIM\u0000'] as const
/** Files of words that a desktop acts upon, by their first line. */
const FIRST_LINES: readonly (readonly [AttachmentRisk, RegExp])[] = [
  ['shortcut', /^\[(?:InternetShortcut|Desktop Entry|Shell)\]/i],
  ['script', /^(?:Windows Registry Editor Version|REGEDIT4\b)/i],
]

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
  if (DISKS.some((disk) => text.startsWith(disk))) return 'disk'
  const byLine = FIRST_LINES.find(([, line]) => line.test(text))
  if (byLine !== undefined) return byLine[0]
  const markup = text.replace(/^(?:<\?xml[^>]*>|<!--(?:(?!-->)[^])*-->|\s)+/i, '')
  return /^<(?:!doctype\s+(?:html|svg)|html|head|body|script|iframe|svg|hta:application)[\s>]/i.test(markup)
    ? 'page'
    : null
}
