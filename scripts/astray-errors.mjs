// Vitest reporter for errors thrown outside any test. They fail the run, but the JSON reporter has no field for them.
import { writeFileSync } from 'node:fs'

/** Writes `[{ message }]` to the file named by LINNET_TEST_ASTRAY. */
export default class AstrayErrors {
  /**
   * @param {readonly unknown[]} _modules
   * @param {readonly { message: string, stack?: string }[]} errors
   */
  onTestRunEnd(_modules, errors) {
    const file = process.env.LINNET_TEST_ASTRAY
    if (file === undefined) return
    writeFileSync(file, JSON.stringify(errors.map(({ message, stack }) => ({ message: stack ?? message }))))
  }
}
