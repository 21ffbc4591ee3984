import { expect, it } from 'vitest'
import { installAdvice } from '../../../scripts/install.mjs'
import { isOwnLine, planSteps } from '../../../scripts/plan-start.mjs'
import { runStep } from '../../../scripts/step.mjs'

it('announces the steps of a start, or nothing if it only opens', () => {
  expect(planSteps({ isInstalled: false, isBuilt: false, hasElectron: false })).toBe(
    'Linnet will install its packages, build and download Electron, then open, about two minutes in all. The next start takes seconds.',
  )
  expect(planSteps({ isInstalled: true, isBuilt: false, hasElectron: true })).toBe('Linnet will build, then open.')
  expect(planSteps({ isInstalled: true, isBuilt: true, hasElectron: true })).toBeNull()
})

it('gives advice after a failed install', () => {
  expect(installAdvice('npm error code ENOTFOUND')).toMatch(/^npm cannot reach its registry/)
  expect(installAdvice('npm error code ENOSPC')).toMatch(/^The disk is full/)
  expect(installAdvice('npm error code EACCES')).toMatch(/^npm has no permission to write/)
  expect(installAdvice('npm error code EINTEGRITY')).toMatch(/npm cache verify/)
  expect(installAdvice('npm error something else')).toMatch(/^Run the same command again/)
})

it('filters output of Electron and the system', () => {
  expect(isOwnLine('linnet: the folder cannot be made')).toBe(true)
  expect(isOwnLine('Linnet is already running. Its window was brought to the front.')).toBe(true)
  expect(isOwnLine('[812:1125/231500.1:ERROR:object_proxy.cc(590)] Failed to call method')).toBe(false)
  expect(isOwnLine('libva error: vaGetDriverNames() failed')).toBe(false)
})

it('logs a step’s output to a file, and returns it on failure', async () => {
  const args = ['-e', 'console.log("(!) Some chunks are larger than 500 kB"); process.exit(3)']
  const step = await runStep({ name: 'unit-test', words: 'Trying …', command: process.execPath, args })
  expect(step).toMatchObject({ isDone: false, log: '(!) Some chunks are larger than 500 kB\n' })
  expect(step.logFile).toMatch(/unit-test\.log$/)
  const missing = await runStep({
    name: 'unit-test',
    words: 'Trying …',
    command: 'no-such-program-of-linnet',
    args: [],
  })
  expect(missing.isDone).toBe(false)
})
