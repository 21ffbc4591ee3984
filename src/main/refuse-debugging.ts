/** Chromium takes one dash or two, and on Windows a slash; Node's own begin in the same way. */
const DEBUGGING = /^(?:--?|\/)(remote-debugging-[a-z-]+|inspect(?:-[a-z-]+)?|debug(?:-[a-z-]+)?)(?:=|$)/i

/**
 * The switch that would let another program read the mail out of the packaged app's windows or its main process.
 * Node's own switches and variables are closed by the fuses already; Chromium's debugging port has none.
 * @returns null where there is none, or the app is not packaged: a developer may debug
 */
export const debuggingSwitch = (argv: readonly string[], isPackaged: boolean): string | null =>
  isPackaged ? (argv.map((arg) => DEBUGGING.exec(arg)?.[1] ?? null).find((name) => name !== null) ?? null) : null
