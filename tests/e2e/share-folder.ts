import { shareFolder } from '../support/demo-file.ts'

/** Playwright's global setup: what is made once for all tests of a run has a folder. @returns removes it */
export default shareFolder
