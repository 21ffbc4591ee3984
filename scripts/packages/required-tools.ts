/** Programs run by `npm run package:check`, with the Debian packages that provide them. */
const TOOLS: Readonly<Record<string, string>> = {
  'dpkg-deb': 'dpkg',
  'desktop-file-validate': 'desktop-file-utils',
  appstreamcli: 'appstream',
  rpmbuild: 'rpm',
  rpm2cpio: 'rpm',
  cpio: 'cpio',
}
/** Programs for the clean root, which only root can create. */
const ROOT_TOOLS: Readonly<Record<string, string>> = {
  debootstrap: 'debootstrap debian-archive-keyring',
  chroot: 'coreutils',
  unshare: 'util-linux',
  mount: 'mount',
  umount: 'mount',
}

/** Names the missing programs and the command that installs them. @returns null if all are installed */
export const describeMissingTools = (isInstalled: (program: string) => boolean, isRoot: boolean): string | null => {
  const missing = Object.entries({ ...TOOLS, ...(isRoot && ROOT_TOOLS) }).filter(([program]) => !isInstalled(program))
  if (missing.length === 0) return null
  const packages = new Set(missing.map(([, name]) => name))
  return `These programs are missing: ${missing.map(([program]) => program).join(', ')}. Install them first:

  sudo apt-get install ${[...packages].join(' ')}
`
}
