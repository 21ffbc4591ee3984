import { z } from 'zod'

const line = z.string().max(200)

/** A command of the window, as a menu of the desktop shows it. */
export const menuCommandSchema = z.object({
  id: line.min(1),
  name: line.min(1),
  /** In whose company it stands. */
  group: line,
  /** The first of its keys, as `nameChord` names them; null where it has none. */
  keys: line.nullable(),
  /** The same as they stand on the keyboard. */
  caps: z.array(line).max(8).readonly(),
  /** Whether it has something to act on now. */
  isEnabled: z.boolean(),
  /** Where it chooses one of several: of what, which one, and whether that is chosen; null for any other. */
  choice: z.object({ of: line, option: line, isOn: z.boolean() }).nullable(),
})
export type MenuCommand = Readonly<z.infer<typeof menuCommandSchema>>
