import { z } from 'zod'

const line = z.string().max(200)

export const menuCommandSchema = z.object({
  id: line.min(1),
  name: line.min(1),
  group: line,
  /** The first of its shortcuts, as `nameChord` names it, or null. */
  keys: line.nullable(),
  /** The same shortcut, by key cap. */
  caps: z.array(line).max(8).readonly(),
  isEnabled: z.boolean(),
  /** For one of several options: the group, this option, and true if it is chosen. Null for other commands. */
  choice: z.object({ of: line, option: line, isOn: z.boolean() }).nullable(),
})
export type MenuCommand = Readonly<z.infer<typeof menuCommandSchema>>
