/** How the system starts this Linnet again. */
export interface OwnCommand {
  readonly file: string
  readonly args: readonly string[]
}

/**
 * The command of this Linnet. What is run from one file unpacks itself to another place each time, so that file is it; without a
 * package Electron has to be told where the app is.
 * @param appPath of the app, where it is no package
 * @param dataDirectory the folder that was asked for; null for the usual one
 */
export const ownCommand = (
  { execPath, env }: Pick<NodeJS.Process, 'execPath' | 'env'>,
  appPath: string | null,
  dataDirectory: string | null,
): OwnCommand => ({
  file: env.APPIMAGE ?? env.PORTABLE_EXECUTABLE_FILE ?? execPath,
  args: [...(appPath === null ? [] : [appPath]), ...(dataDirectory === null ? [] : [`--data-dir=${dataDirectory}`])],
})
