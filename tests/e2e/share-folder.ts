import { COMPILED } from '../support/compiled.ts'
import { shareFolder } from '../support/demo-file.ts'

/** Playwright's setup: a folder shared by a run, and a compile cache for hosts. @returns removes the folder */
export default () => {
  Object.assign(process.env, COMPILED)
  return shareFolder()
}
