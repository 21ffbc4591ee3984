// A reporter for Vitest: errors that no test caught end a run, and its JSON reporter has no place for them.
import { writeFileSync } from 'node:fs'

/** Writes `[{ message }]` to the file that LINNET_TEST_ASTRAY names. */
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
