export interface LaunchCommand {
  readonly file: string
  readonly args: readonly string[]
}

/**
 * The command that starts this Linnet. An AppImage or portable executable unpacks to a new place on each run, so the
 * path of the packed file is used. Unpackaged, Electron needs the app's path.
 * @param dataDirectory the requested folder, or null for the default
 */
export const resolveLaunchCommand = (
  { execPath, env }: Pick<NodeJS.Process, 'execPath' | 'env'>,
  appPath: string | null,
  dataDirectory: string | null,
): LaunchCommand => ({
  file: env.APPIMAGE ?? env.PORTABLE_EXECUTABLE_FILE ?? execPath,
  args: [...(appPath === null ? [] : [appPath]), ...(dataDirectory === null ? [] : [`--data-dir=${dataDirectory}`])],
})
