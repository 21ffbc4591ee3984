// What `npm start` says before it begins.

/**
 * The steps that a start needs before its window opens, in words; null where there is none.
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
 * Whether Linnet itself wrote a line of Electron's output. Chromium and the system's libraries write warnings there too.
 * @param {string} line
 */
export const isOwnLine = (line) => /^linnet\b/i.test(line)
