import { z } from 'zod'

const line = z.string().max(200)

export const menuCommandSchema = z.object({
  id: line.min(1),
  name: line.min(1),
  group: line,
  /** The command's first shortcut, formatted by `nameChord`, or null. */
  keys: line.nullable(),
  /** The same shortcut, one entry per key cap. */
  caps: z.array(line).max(8).readonly(),
  isEnabled: z.boolean(),
  /**
   * For a command that is one of several options: the group, this option, and whether it is chosen. Null for other
   * commands.
   */
  choice: z.object({ of: line, option: line, isOn: z.boolean() }).nullable(),
})
export type MenuCommand = Readonly<z.infer<typeof menuCommandSchema>>
