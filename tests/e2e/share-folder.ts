import { COMPILED } from '../support/compiled.ts'
import { shareFolder } from '../support/demo-file.ts'

/**
 * Playwright's global setup: what is made once for all tests of a run has a folder, and what each host compiles at its start is
 * there for the next one. @returns removes the first
 */
export default () => {
  Object.assign(process.env, COMPILED)
  return shareFolder()
}
