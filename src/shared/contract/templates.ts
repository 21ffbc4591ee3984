/** Templates of the platform. Linnet reads them, but they are edited on the platform. */
import { z } from 'zod'
import type { Template, TemplateSummary } from '../templates.ts'
import { defineEngineCommand } from './command.ts'
import { idSchema, emptyInputSchema } from './inputs.ts'

export const templateCommands = {
  /** Locally known published templates, sorted by name. */
  'template.list': defineEngineCommand<readonly TemplateSummary[]>()('merged', emptyInputSchema),
  /**
   * Fetches the templates, at most once in five minutes; `templates.changed` announces the result. `unreachable`
   * offline.
   */
  'template.refresh': defineEngineCommand<null>()('merged', emptyInputSchema),
  /** Cached or requested. `unreachable` if neither works, `not_found` if unpublished, `refused` if too large. */
  'template.get': defineEngineCommand<Template>()('owner', () => z.object({ id: idSchema }).strict()),
}

export interface TemplateEvents {
  'templates.changed': null
}
