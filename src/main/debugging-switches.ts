/** Chromium accepts one or two dashes, and on Windows a slash. Node's switches start the same way. */
const DEBUGGING = /^(?:--?|\/)(remote-debugging-[a-z-]+|inspect(?:-[a-z-]+)?|debug(?:-[a-z-]+)?)(?:=|$)/i

/**
 * The switch that would let another program read mail from the packaged app. The fuses disable Node's switches and
 * variables, but there is none for Chromium's debugging port.
 * @returns null if there is none, or if the app isn't packaged, as developers may debug
 */
export const findDebuggingSwitch = (argv: readonly string[], isPackaged: boolean): string | null =>
  isPackaged ? (argv.map((arg) => DEBUGGING.exec(arg)?.[1] ?? null).find((name) => name !== null) ?? null) : null
