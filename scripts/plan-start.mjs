/**
 * Describes the steps before the window opens, or null if there are none.
 * @param {{ isInstalled: boolean, isBuilt: boolean, hasElectron: boolean }} state
 * @returns {string | null}
 */
export const planSteps = ({ isInstalled, isBuilt, hasElectron }) => {
  const steps = [
    ...(isInstalled ? [] : ['install its packages']),
    ...(isBuilt ? [] : ['build']),
    ...(hasElectron ? [] : ['download Electron']),
  ]
  const last = steps.pop()
  if (last === undefined) return null
  const all = steps.length === 0 ? last : `${steps.join(', ')} and ${last}`
  const time = isInstalled && hasElectron ? '' : ', about two minutes in all. The next start takes seconds'
  return `Linnet will ${all}, then open${time}.`
}

/**
 * True for lines that Linnet itself printed: Chromium and system libraries write to the same stream. @param {string}
 * line
 */
export const isOwnLine = (line) => /^linnet\b/i.test(line)
