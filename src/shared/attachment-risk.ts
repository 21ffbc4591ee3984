import { toSafeFilename } from './safe-filename.ts'

/**
 * Effect of opening a file. The name decides how the desktop opens the file, but may be misleading, so the first
 * bytes count too.
 */
export type AttachmentRisk = 'program' | 'script' | 'macros' | 'page' | 'disk' | 'shortcut' | 'settings' | 'archive'

/** File extensions grouped by how a desktop opens them. Archives are judged by their content (`detectContentRisk`). */
const EXTENSIONS: Readonly<Record<Exclude<AttachmentRisk, 'archive'>, string>> = {
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
  (Object.keys(EXTENSIONS) as readonly (keyof typeof EXTENSIONS)[]).flatMap((risk) =>
    EXTENSIONS[risk].split(' ').map((ending) => [ending, risk] as const),
  ),
)

/** Extensions of documents, pictures and sounds, used to distract from a second extension. */
const HARMLESS =
  /^(?:pdf|docx?|xlsx?|pptx?|odt|ods|odp|rtf|txt|csv|jpe?g|png|gif|bmp|webp|avif|heic|tiff?|mp[34]|m4a|mov|avi|wav|zip|eml)$/

/** The name's extensions in order, as a desktop reads them, without ignored or invisible characters. */
const extensionsOf = (name: string): readonly string[] =>
  name
    .slice(-1_000)
    .normalize('NFKC')
    .replace(/[\p{Cc}\p{Cf}]/gu, '')
    // Windows ignores trailing blanks and dots, and anything after a colon.
    .replace(/:.*$/, '')
    .replace(/[\s.]+$/, '')
    .toLowerCase()
    .split('.')
    .slice(1)
    .map((ending) => ending.trim())

const riskOfExtension = (name: string): AttachmentRisk | null => RISK_OF.get(extensionsOf(name).at(-1) ?? '') ?? null

/**
 * Judges the name both as sent and as saved, because sanitising may reveal an extension. @returns null if the desktop
 * would only display the file
 */
export const detectNameRisk = (name: string | null): AttachmentRisk | null =>
  name === null ? null : (riskOfExtension(name) ?? riskOfExtension(toSafeFilename(name)))

/** True for a double extension (`invoice.pdf.exe`) or reversed text direction (`invoice\u202efdp.exe`). */
export const isDisguisedFilename = (name: string | null): boolean => {
  if (name === null || detectNameRisk(name) === null) return false
  const before = extensionsOf(riskOfExtension(name) === null ? toSafeFilename(name) : name).at(-2)
  return (before !== undefined && HARMLESS.test(before)) || /[\u202a-\u202e\u2066-\u2069]/.test(name)
}

/** Magic numbers of executables in hexadecimal (file(1), "magic"). */
const PROGRAMS = [
  '4d5a', // Windows
  '7f454c46', // Linux
  'feedface', // macOS, each word size and byte order
  'feedfacf',
  'cefaedfe',
  'cffaedfe',
  'cafebabe', // macOS universal; Java
  'edabeedb', // rpm
  '213c617263683e0a', // deb
  '78617221', // pkg
  '6465780a', // Android
  '49545346', // compiled help, which runs scripts
  '68737173', // snap
] as const
const SHORTCUT = '4c0000000114020000000000c000000000000046'
/** Magic numbers of disk images, as text. */
const DISKS = ['vhdxfile', 'conectix', 'KDMV', 'QFI\u00fb', 'MSWIM\u0000'] as const
/** Text files that a desktop acts on, recognised by their first line. */
const FIRST_LINES: readonly (readonly [AttachmentRisk, RegExp])[] = [
  ['shortcut', /^\[(?:InternetShortcut|Desktop Entry|Shell)\]/i],
  ['script', /^(?:Windows Registry Editor Version|REGEDIT4\b)/i],
]

/** @param head at least the first thousand bytes, or the whole file if it is shorter */
export const detectContentRiskOfBytes = (head: Uint8Array): AttachmentRisk | null => {
  const digits = [...head.subarray(0, 20)].map((byte) => byte.toString(16).padStart(2, '0')).join('')
  if (PROGRAMS.some((program) => digits.startsWith(program))) return 'program'
  if (digits.startsWith(SHORTCUT)) return 'shortcut'
  // One character per byte; the browsers' Latin-1 decoder maps some bytes differently.
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

/** File extensions that every large mail service blocks. The platform's list is unpublished (platform.md 13.4). */
const BLOCKED = new Set(
  'ade adp app apk appx asp bas bat cab chm cmd com cpl crt csh dll dmg exe fxp gadget hlp hta inf ins iso isp its jar js jse ksh lib lnk mad maf mag mam maq mar mas mat mau mav maw mda mdb mde mdt mdw mdz msc msh msi msp mst nsh ops osd pcd pif plg prf prg ps1 ps2 pst reg scf scr sct shb shs sys tmp url vb vbe vbs vps vsmacros vss vst vsw vxd ws wsc wsf wsh xnk'.split(
    ' ',
  ),
)

/** True if the platform may reject the file by its name. */
export const isBlockedAttachment = (filename: string): boolean =>
  BLOCKED.has(/\.([^.\s]+)[\s.]*$/.exec(filename.toLowerCase())?.[1] ?? '')
