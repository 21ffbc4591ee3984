import { type RgbColor, createPng } from './drawn-files.ts'

const paper: RgbColor = [250, 248, 244]
const line: RgbColor = [224, 218, 210]
const blocks: readonly RgbColor[] = [
  [178, 62, 84],
  [92, 132, 116],
  [214, 158, 78],
  [96, 118, 160],
  [146, 108, 148],
]

/** A week's rota, seven columns with coloured shifts, 360 by 240. Each `pattern` gives a different week. */
export const drawRotaScreenshot = (pattern: number): Uint8Array =>
  createPng(360, 240, (x, y) => {
    const [column, row] = [Math.floor(x / 51), Math.floor((y - 24) / 27)]
    if (y < 24) return y > 21 ? line : [60, 48, 44]
    if (x % 51 === 0 || (y - 24) % 27 === 0) return line
    const taken = (column * 7 + row * 3 + pattern) % 4 !== 0
    const inset = x % 51 > 3 && x % 51 < 47 && (y - 24) % 27 > 3 && (y - 24) % 27 < 23
    return taken && inset ? (blocks[(column + row * 2 + pattern) % blocks.length] ?? paper) : paper
  })

/** A chart of a disk filling up, with a step in the last third, 320 by 160. */
export const drawDiskUsageChart = (): Uint8Array =>
  createPng(320, 160, (x, y) => {
    const height = 122 - x * 0.14 - 3 * Math.sin(x / 7) - 26 / (1 + Math.exp((224 - x) / 2))
    if (Math.abs(y - height) < 2) return [178, 62, 84]
    if (y > height) return [244, 226, 224]
    return y % 40 === 0 || x % 80 === 0 ? line : paper
  })

/** A filled rectangle: left, top, width, height, colour. */
type Patch = readonly [number, number, number, number, RgbColor]

const drawPatches = (background: RgbColor, patches: readonly Patch[]): Uint8Array =>
  createPng(
    360,
    240,
    (x, y) =>
      patches.findLast(
        ([left, top, width, height]) => x >= left && x < left + width && y >= top && y < top + height,
      )?.[4] ?? background,
  )

const wall: RgbColor = [226, 220, 208]
const oak: RgbColor = [176, 128, 82]
const darkOak: RgbColor = [142, 98, 60]
const glass: RgbColor = [46, 42, 40]
const brass: RgbColor = [214, 178, 84]
const ink: RgbColor = [96, 88, 82]

export const drawStandFront = (): Uint8Array =>
  drawPatches(wall, [
    [0, 200, 360, 40, [198, 188, 172]],
    [70, 180, 220, 26, oak],
    [70, 200, 220, 6, darkOak],
    [95, 40, 170, 145, glass],
    [103, 48, 154, 129, paper],
    [115, 62, 130, 16, [178, 62, 84]],
    ...[0, 1, 2].flatMap((row) =>
      [0, 1, 2].map((column): Patch => [115 + column * 46, 92 + row * 28, 38, 20, blocks[(row + column) % 5] ?? ink]),
    ),
    [84, 188, 8, 8, brass],
    [268, 188, 8, 8, brass],
  ])

export const drawStandSide = (): Uint8Array =>
  drawPatches(wall, [
    [0, 200, 360, 40, [198, 188, 172]],
    [120, 176, 130, 30, oak],
    [120, 200, 130, 6, darkOak],
    ...Array.from({ length: 36 }, (_slice, index): Patch => [168 + index, 176 - index * 4, 9, 4, glass]),
    [206, 110, 12, 70, darkOak],
    [150, 176, 12, 18, wall],
    [232, 186, 8, 8, brass],
  ])

/** A mock-up of a screen that asks for a temperature: a question, a number pad, a large button and a quiet one. */
export const drawQuestionScreen = (): Uint8Array =>
  drawPatches(paper, [
    [0, 0, 360, 26, glass],
    [20, 44, 150, 12, ink],
    [20, 64, 110, 8, line],
    [20, 92, 140, 44, [255, 255, 255]],
    [20, 134, 140, 2, ink],
    [36, 104, 12, 22, glass],
    [56, 104, 12, 22, glass],
    ...Array.from({ length: 12 }, (_key, index): Patch => [
      190 + (index % 3) * 52,
      44 + Math.floor(index / 3) * 38,
      46,
      32,
      line,
    ]),
    [20, 160, 140, 36, [178, 62, 84]],
    [62, 208, 56, 8, ink],
  ])

/** A printed week whose last (`right`) or first (`left`) column is cut off. */
export const drawCroppedPrint = (side: 'left' | 'right'): Uint8Array =>
  drawPatches(
    [120, 104, 90],
    [
      [30, 24, 300, 192, [252, 250, 246]],
      ...Array.from({ length: 30 }, (_cell, index): Patch => {
        const [column, row] = [index % 6, Math.floor(index / 6)]
        const colour = (index * 7 + row) % 4 === 0 ? line : (blocks[(column + row * 2) % 5] ?? ink)
        return [(side === 'right' ? 36 : 44) + column * 48, 58 + row * 30, 40, 20, colour]
      }),
      [44, 36, 120, 8, ink],
      ...(side === 'right' ? [[322, 52, 8, 150, line] as const] : [[30, 52, 8, 150, line] as const]),
    ],
  )

export const drawPrinterDisplay = (): Uint8Array =>
  drawPatches(
    [72, 72, 76],
    [
      [50, 50, 260, 110, [176, 190, 172]],
      ...Array.from({ length: 22 }, (_letter, index): Patch => [
        64 + index * 11,
        72,
        index % 6 === 5 ? 0 : 7,
        12,
        glass,
      ]),
      ...Array.from({ length: 15 }, (_letter, index): Patch => [
        64 + index * 11,
        100,
        index % 5 === 4 ? 0 : 7,
        12,
        glass,
      ]),
      [64, 128, 60, 18, glass],
      [140, 128, 60, 18, [120, 134, 118]],
      [80, 184, 40, 24, [44, 44, 48]],
      [150, 184, 40, 24, [44, 44, 48]],
    ],
  )
