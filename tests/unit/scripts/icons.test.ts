import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import sharp from 'sharp'
import { expect, it } from 'vitest'
import { drawIcons } from '../../../scripts/icons.ts'
import { root } from '../../support/program.ts'
import { temporaryDirectory } from '../../support/temporary-directory.ts'

it('draws all icons from one SVG, each at its own size', async () => {
  const folder = join(temporaryDirectory(), 'icons')
  await drawIcons(join(root, 'resources', 'icon.svg'), folder)
  const pictures = readdirSync(folder).filter((name) => name.endsWith('.png'))
  expect(pictures).toContain('16x16.png')
  expect(pictures).toContain('512x512.png')
  for (const name of pictures) {
    const { width, height, hasAlpha } = await sharp(join(folder, name)).metadata()
    expect({ name: `${width}x${height}.png`, hasAlpha }).toEqual({ name, hasAlpha: true })
    const { channels } = await sharp(join(folder, name)).stats()
    // The bird's breast is red, so something was drawn.
    expect((channels[0]?.mean ?? 0) - (channels[2]?.mean ?? 0)).toBeGreaterThan(5)
  }
  const ico = readFileSync(join(folder, 'icon.ico'))
  expect([ico.readUInt16LE(2), ico.readUInt16LE(4)]).toEqual([1, 8])
  const icns = readFileSync(join(folder, 'icon.icns'))
  expect([icns.toString('latin1', 0, 4), icns.readUInt32BE(4)]).toEqual(['icns', icns.length])
  for (const type of ['ic07', 'ic08', 'ic09', 'ic10']) expect(icns.includes(type)).toBe(true)
})
