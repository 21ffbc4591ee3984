import { measurePackage } from '../../scripts/packages/measure.ts'
import type { Figure } from './figure.ts'

/** Size of the installed app compared with an empty one, both built from the local Electron. */
export const measurePackageSize = async (): Promise<readonly Figure[]> => {
  const sizes = await measurePackage()
  const megabytes = (bytes: number): string => (bytes / 1e6).toFixed(1)
  return [
    {
      name: 'the installed app beside an empty one',
      measured: sizes?.ratio ?? Number.NaN,
      unit: '×',
      bound: { kind: 'at most', value: 1.15 },
      note:
        sizes === null
          ? 'not measured: there is no Electron on this machine'
          : `${megabytes(sizes.linnet)} MB, the empty app ${megabytes(sizes.empty)} MB`,
    },
  ]
}
