/** Templates of the platform. Linnet reads them, but they are edited on the platform. */
import { z } from 'zod'
import type { Template, TemplateSummary } from '../templates.ts'
import { engine } from './command.ts'
import { id, nothing } from './inputs.ts'

export const templateCommands = {
  /** Locally known published templates, sorted by name. */
  'template.list': engine<readonly TemplateSummary[]>()('joined', nothing),
  /**
   * Fetches the templates, at most once in five minutes; `templates.changed` announces the result. `unreachable`
   * offline.
   */
  'template.refresh': engine<null>()('each', nothing),
  /** Cached or requested. `unreachable` if neither works, `not_found` if unpublished, `refused` if too large. */
  'template.get': engine<Template>()('owner', () => z.object({ id }).strict()),
}

export interface TemplateEvents {
  'templates.changed': null
}
