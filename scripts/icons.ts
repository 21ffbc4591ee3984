/**
 * Renders the icons for all operating systems from one SVG, where electron-builder expects them: `node
 * scripts/icons.ts`.
 */
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { IconIco, IconIcns } from '@shockpkg/icon-encoder'
import sharp from 'sharp'

/** Icon sizes in pixels. A freedesktop.org icon theme has a folder for each. */
export const LINUX_SIDES = [16, 22, 24, 32, 48, 64, 96, 128, 256, 512]
/** Icon sizes that Windows uses at 100 % to 250 % scaling, plus the size for its large views. */
const WINDOWS_SIDES = [16, 20, 24, 32, 40, 48, 64, 256]
/** Apple's icon types and their sizes in pixels, in the order of `iconutil`. */
const APPLE_SIDES = [
  ['ic12', 64],
  ['ic07', 128],
  ['ic13', 256],
  ['ic08', 256],
  ['ic04', 16],
  ['ic14', 512],
  ['ic09', 512],
  ['ic05', 32],
  ['ic10', 1024],
  ['ic11', 32],
] as const
/** Default density of an SVG without a declared size, in pixels per inch. */
const OWN_DENSITY = 72
/** Side length of the SVG's view box. */
const OWN_SIDE = 1024

/** Renders each size from the vectors instead of downscaling a large bitmap. */
const draw = (svg: Buffer, side: number): Promise<Buffer> =>
  sharp(svg, { density: (OWN_DENSITY * side) / OWN_SIDE })
    .resize(side, side)
    .png({ compressionLevel: 9 })
    .toBuffer()

/** Writes `SIDExSIDE.png` for Linux, `icon.ico` for Windows and `icon.icns` for macOS into a fresh folder. */
export const drawIcons = async (source: string, folder: string): Promise<void> => {
  const svg = await readFile(source)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { recursive: true })
  for (const side of LINUX_SIDES) await writeFile(join(folder, `${side}x${side}.png`), await draw(svg, side))
  const ico = new IconIco()
  for (const side of WINDOWS_SIDES) await ico.addFromPng(await draw(svg, side), side === 256, true)
  await writeFile(join(folder, 'icon.ico'), ico.encode())
  const icns = new IconIcns()
  for (const [type, side] of APPLE_SIDES) await icns.addFromPng(await draw(svg, side), [type], true)
  await writeFile(join(folder, 'icon.icns'), icns.encode())
}

if (import.meta.main) {
  const root = join(import.meta.dirname, '..')
  await drawIcons(join(root, 'resources', 'icon.svg'), join(root, 'dist', 'icons'))
}
